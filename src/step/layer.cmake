# Every source that defines method_<stem>() is in the table methods().
sinew_register(step step/stepper.h Method method_ methods)
