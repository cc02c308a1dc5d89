"""The words that guests' names are made of: at most seven letters, kind, and easy to say aloud."""

_FIRST = """
agile airy amber ample apt ashen autumn azure balmy blithe bold brave breezy bright brisk bronze
calm candid cedar chalk cheery civil clear clever copper coral cosy crisp dapper daring dawn
deft dusky eager early elder fabled fair fleet fond frank fresh gallant gentle gilded glad
golden hardy hazel hearty honest humble ivory jade jaunty jolly keen kind lively loyal lucid
lucky lunar mellow merry misty modest nimble noble patient placid plucky polite proud quick
quiet rapid ready robust rosy ruby rustic sage serene sharp silent silver sincere sleek smooth
snowy sober solar spry stable steady stout sturdy subtle sunny sure swift tawny tidy timely
trusty upbeat valiant velvet vernal vivid warm wary willing windy wise witty
"""

_SECOND = """
acorn alder aspen badger beacon beaver birch bison brook canyon castle cedar cliff cloud comet
condor crane creek cricket curlew cypress dipper dolphin dove dune eagle egret elm falcon fern
ferret finch fjord fox gannet garnet gecko glacier glade grove grouse gull harbour hare harrier
hawk heath heron hill hoopoe ibex ibis island jackdaw jay juniper kestrel kite lagoon lantern
lapwing larch lark linden linnet lizard lynx magpie mallard maple marten martin meadow merlin
meteor moose moth newt oak oriole osprey otter ouzel owl panda pebble petrel pine plover poplar
puffin quail rabbit raven reed ridge river robin rook rowan salmon sandbar shrike skylark
sparrow spruce stoat stork summit sunrise swallow swan swift tern thicket thrush tiger
turtle valley vole walnut walrus warbler weasel willow wombat wren yew zebra
"""

FIRST = tuple(_FIRST.split())
SECOND = tuple(_SECOND.split())
