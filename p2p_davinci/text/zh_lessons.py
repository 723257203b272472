"""Chinese: how cheating is found, for people who want to see it (``--bot-cheats``)."""

from __future__ import annotations

from collections.abc import Mapping

LESSONS: Mapping[str, str] = {
    "lesson.no_occasion": "这一局机器人没有遇到作弊的机会（{cheat}）。请再来一局。",
    "lesson.more": "想看每一步证明了什么、为什么可信：p2p-davinci show 日志 --explain，日志就是"
    "程序结束时写出的那个文件。",
    "lesson.false-miss.tried": "{name}的企图：别人猜对了，它却否认。",
    "lesson.false-miss.caught": "怎样识破：回答没猜中的人，必须在不亮牌的情况下证明那张牌不是被叫"
    "到的牌。证明是两个含有这张蒙面牌的等式。如果那张牌正是被叫到的牌，任何数都无法满足这两个等"
    "式，所以这个回答根本不存在证明；{name}送来的替代品不成立。",
    "lesson.stacked-deck.tried": "{name}的企图：不洗收到的牌，而是按自己选定的顺序交出一副牌。",
    "lesson.stacked-deck.caught": "怎样识破：洗牌的人必须在不透露新顺序的情况下证明，收到的每张牌"
    "都恰好交出一次，只是换了蒙面。这里交出的是另外一些蒙面牌，证明的等式因此不成立。",
    "lesson.wrong-share.tried": "{name}的企图：替摸牌的人揭去蒙面时，让那张牌变成另一张。",
    "lesson.wrong-share.caught": "怎样识破：别人摸牌时，每位玩家都要揭去自己那一层蒙面，并证明这"
    "一层是用本轮开始时公布的密钥做成的。这一层不是。",
    "lesson.unsorted-row.tried": "{name}的企图：把数字从大到小排列。",
    "lesson.unsorted-row.caught": "怎样识破：牌列的主人要把每张牌的数值封存起来，证明封存的正是发"
    "到的那张牌，再证明封存的数值从左到右递增。{name}封存的数值确实递增，却不是它那些牌的数值，所"
    "以第一个证明不成立；要是封存真实的数值，第二个证明就不成立。",
    "lesson.out-of-turn.tried": "{name}的企图：自己的回合结束后又摸一张牌。",
    "lesson.out-of-turn.caught": "怎样识破：轮到谁，由大家都听到的内容决定，谁也抵赖不了。{name}"
    "在一个没有它说话份儿的步骤里签了一条消息，连同此前全部内容的哈希；这个签名就是证据。",
    "lesson.two-faces.tried": "{name}的企图：在同一步里猜两次，内容不同；如果听的人不止一个，就对"
    "不同的人说不同的话。",
    "lesson.two-faces.caught": "怎样识破：每位玩家在一步里只签一条消息。各家程序会比对所听到的全"
    "部内容的哈希；不一致时就互相出示消息，同一步里的两条不同消息足以给签了两条的人定罪。",
    "lesson.changed-contract.tried": "{name}的企图：不按大家商定的约定，而按另一份约定开局。",
    "lesson.changed-contract.caught": "怎样识破：每条消息都写明约定的哈希。{name}写的是另一个，所"
    "以那条消息属于别的牌局，没有人会接着它往下走。这不能作为给别人看的证据，因为它没有在这份约定"
    "下签过任何东西；所以牌局只是停下，日志里记下了原因。",
}
