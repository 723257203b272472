"""Chinese: somebody falls silent, and what the others can do about it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

STAYING: Mapping[str, str] = MappingProxyType(
    {
        "help.vote": "投票、投票 bo：不等沉默太久的人而继续。其余所有人都必须同意；会先问你。",
        "help.wait": "等：再给沉默的人同样长的时间。",
        "help.claim": "宣告：仅剩的另一位玩家沉默太久时，宣告胜局。",
        "help.save": "保存：在这里停下；以后可以由同样的玩家继续。",
        "check.drop": "它签名不等某人而继续，又另签了相反的话。",
        "silent.long.you": "大家已经等你 {seconds} 秒了。",
        "silent.long.other": "{name} 已经 {seconds} 秒没有消息。唤醒那台电脑，或让它重新连上网络，"
        "通常就好了：游戏会自己继续。",
        "silent.left": "{name} 离开了。如果 {name} 回来接着玩这一局，游戏就会继续。",
        "silent.choice.vote.you": "其他人可以不等你而继续。",
        "silent.choice.vote.other": '你可以选："等待"；"投票"不等 {name} 而继续（其余所有人都必须'
        '同意；之后牌堆关闭，{name} 的暗牌退出游戏）；或"保存"并停下，以后再继续。',
        "silent.choice.claim.you": "另一位玩家可以宣告胜局。",
        "silent.choice.claim.other": '你可以选："等待"；"保存"并停下，以后再继续；或"宣告"胜局，'
        "因为只剩 {name} 一位对手。日志会写明这一局是宣告的，不是赢来的。",
        "silent.choice.wait.you": "其他人只能等待，或停下。",
        "silent.choice.wait.other": '你可以选："等待"，或"保存"并停下，以后再继续。现在不能不等 '
        "{name} 而继续。",
        "silent.voted.you": "你已签名：不等 {lost} 而继续。还需要：{names}。",
        "silent.voted.other": "{name} 已签名：不等 {lost} 而继续。还需要：{names}。",
        "silent.voted_last.you": "你已签名：不等 {lost} 而继续；其余的人都已签名。",
        "silent.voted_last.other": "{name} 已签名：不等 {lost} 而继续；其余的人都已签名。",
        "silent.promised.you": "你的程序收到了别人没收到的 {lost} 的消息，"
        "并为它作保：不会丢下 {lost}。",
        "silent.promised.other": "{name} 收到了别人没收到的 {lost} 的消息，"
        "并为它作保：不会丢下 {lost}。",
        "silent.promise": "有人投票不等某人之后，那人的消息到了。{name} 还没有确认它，"
        "游戏要等这个确认。",
        "silent.unreachable": "{names} 也必须同意，但现在联系不上。"
        "在那之前只能等待，或保存并停下。",
        "silent.waiting": "继续等待。如果还没有消息，会再问你。",
        "silent.nobody": "游戏没有在等沉默太久的人，现在没有什么要选的。",
        "silent.not_awaited": "游戏现在不在等 {name}，不必对 {name} 做选择。有变化时会问你。",
        "slip.vote": "不等 {name} 而继续吗？其余所有人都必须同意；之后谁也打不开 {name} 的暗牌"
        "和牌堆，而且不能收回。",
        "slip.claim": "宣告胜局吗？游戏就此结束，日志会写明是宣告的。",
        "slip.save": "在这里停下吗？其他人会得知；以后可以和所有玩家一起继续。",
        "fact.dropped.you": "其他人不等你而继续了：你的暗牌退出游戏。你可以看到最后。",
        "fact.dropped.other": "游戏不等 {name} 而继续：{name} 的暗牌退出游戏，对它们的猜测作废，"
        "谁也不因此得分。没有那把密钥就打不开牌堆，所以牌堆关闭。",
        "board.dropped": "没有消息，已退出",
        "halted.saved": "你让游戏停下了。已经保存，可以和同样的玩家继续。",
        "halted.claimed": "{name} 宣告了胜局，因为仅剩的另一位玩家没有消息。没有公开任何密钥。",
        "refused.no_vote": "现在不能投票丢下这位玩家：没有人沉默太久，或在局的不到三人，"
        "或你已另有签名。",
        "refused.promises": "你投票时没到的消息后来到了。你的程序要等 {names} 确认；"
        "如果他们在线，只要片刻。",
        "refused.no_claim": "只有当仅剩的另一位玩家沉默太久时，才能宣告胜局。",
        "illegal.already_dropped": "游戏已经不等 {name} 而继续了。",
        "illegal.too_few": "至少还要有另外两人在局中，才能不等一个人而继续。",
    }
)
