"""One room a wire format. Rooms do not know each other; `interlingua.registry` knows their names."""
