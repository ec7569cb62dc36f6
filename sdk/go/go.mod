module palaver

go 1.19
