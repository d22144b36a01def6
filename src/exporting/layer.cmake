# Every source that defines exporter_<stem>() is in the table exporters().
sinew_register(exporting exporting/exporter.h Exporter exporter_ exporters)
