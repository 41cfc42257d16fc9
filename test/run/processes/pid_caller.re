^0 1$
^ *calls`hidden$
