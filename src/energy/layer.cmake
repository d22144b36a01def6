# Every source that defines term_<stem>() is in the table term_kinds().
sinew_register(energy energy/term.h TermKind term_ term_kinds)
