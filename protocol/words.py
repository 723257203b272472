"""The 256 words in which people compare a session aloud, one for each byte (PEER, comparison).

Chosen for this list: common English words of 3 to 7 letters, any two at least three edits apart
and different within their first four letters. The order is part of the protocol.
"""

from __future__ import annotations

_LIST = """
    acorn almond amber anchor angel apple apron atlas autumn avocado badge balcony bamboo
    banana banjo barrel beaver bedroom bicycle birch biscuit blanket blossom bonfire bottle
    bronze bubble buffalo button cabbage cabin cactus camera canary canoe captain caramel
    carpet castle chalk cheese cherry chimney cinema circus clover cobra coconut coffee
    comet compass copper cottage cowboy cradle cricket crystal daisy dancer dentist desert
    diamond doctor dolphin donkey drum dungeon eagle earring easel echo eclipse elbow
    emerald engine equator farmer feather fiddle finger flag flute forest fossil fox fridge
    galaxy garden garlic ghost giant giraffe gondola grape guitar hamster harvest holiday
    horizon hunter iceberg igloo insect island ivory jaguar jewel jigsaw journey juggler
    kayak kennel ketchup keyhole kitchen ladder lagoon lantern laptop lemon leopard library
    lizard lobster locket lotus lunch machine magnet mansion marble meadow mermaid meteor
    mirror mitten mosaic muffin museum napkin navy needle nickel north nugget nurse nutmeg
    oasis ocean octopus office olive onion opera orange orbit orchid ostrich oxygen palace
    panther papaya paper parrot pasta peach peanut pelican pencil penguin pickle picnic
    pigeon pillow plaza polar poppy potato prairie pudding pumpkin puppet puzzle pyramid
    queen quilt rabbit raccoon radish rainbow raven ribbon robot rose ruby sailor salad
    sandal saturn scarf school scooter shampoo shelter sheriff shrimp silver sloth snail
    soccer sofa spider spinach sponge squid stadium statue stove straw sugar summer sunset
    syrup teapot temple tennis thimble toast tornado tower tractor trophy trumpet tulip
    turkey turtle tuxedo twelve unicorn valley vanilla velvet vinegar violin visitor volcano
    vulture waffle walnut warrior whisper widow wolf wombat yogurt zigzag
"""

WORDS: tuple[str, ...] = tuple(_LIST.split())
"""Byte value to word."""
