# Every source that defines quantity_<stem>() is in the table quantities().
sinew_register(measure measure/quantity.h Quantity quantity_ quantities)
