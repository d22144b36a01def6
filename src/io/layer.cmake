# Every source that defines mesh_format_<stem>() is in the table mesh_formats().
sinew_register(io io/mesh_file.h MeshFormat mesh_format_ mesh_formats)
