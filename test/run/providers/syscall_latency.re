200
200
 *value  ------------- Distribution ------------- count    
.*@.*
