# Every source that defines kind_<stem>() is in the table kinds().
sinew_register(element element/kind.h Kind kind_ kinds)
