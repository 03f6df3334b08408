module interlingua.example/types-tests

go 1.24

require (
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.2
	interlingua.example/types v0.0.0
)

require golang.org/x/text v0.14.0 // indirect

replace interlingua.example/types => ./dist/go
