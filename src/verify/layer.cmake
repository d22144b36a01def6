# Every source that defines problem_<stem>() is in the table problems().
sinew_register(verify verify/problem.h Problem problem_ problems)
