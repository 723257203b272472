"""Chinese: the program itself, from its start to its last line."""

from __future__ import annotations

from collections.abc import Mapping

APP: Mapping[str, str] = {
    "app.opened": "牌桌 {table} 已开。别人会自动找到它，也可以按地址加入：{address}",
    "app.opened_nowhere": "牌桌 {table} 已开，但这台机器没有别人可以用来加入的地址。",
    "app.opened_again": "{name} 又开了这张桌子：输入 再来 入座。",
    "app.opened_for_bots": "牌桌 {table} 已开，只供你和你的机器人使用，仅限本机。",
    "app.searching": "正在本网络中寻找牌桌。",
    "app.none_found": "在这段时间内没有找到牌桌，也没有向任何人发送过内容。可以用 p2p-davinci "
    "open 开一桌，或按地址加入：p2p-davinci join HOST:PORT。",
    "app.several": "可能指的牌桌不止一张，所以没有加入任何一张。请指明哪一张。",
    "app.input_over": "输入到此结束，所以离开。",
    "app.saved": "这一局已经存下。接着玩：p2p-davinci resume。",
    "app.saved_out": "你已经出局，其他人不等你，接着玩。想看结局：趁他们还在，用 "
    "p2p-davinci resume；以后用 p2p-davinci show，加上他们之中一位的日志。",
    "app.no_table": "{address} 处的程序还没有坐上牌桌。请让那位玩家先开一桌。",
    "app.seated_already": "你已经在一张牌桌上了，请先离开。没有发送任何内容。",
    "app.bot_died": "一个机器人在开局前就退出了。它的输出在 {folder}。",
    "app.verified": "本程序已像任何人都能做的那样把整份日志重新验证了一遍：{verdict}。",
    "app.verdict.finished": "有效，且已打完",
    "app.verdict.claimed": "有效，以宣告结束",
    "app.verdict.convicted": "有效，已完成，并且证明了谁作弊",
    "app.verdict.unfinished": "有效，但未打完",
    "app.verdict.void": "作废，并证明了谁作弊",
    "app.verdict.invalid": "无效",
    "app.evidence": "{name}在同一步里签了两句不同的话，证据存在{path}。不看别的，单凭它就能证明那"
    "个密钥的主人说了两样话：任何人都可以用 p2p-davinci verify 检验。",
    "app.no_log": "没有开局，因此没有日志。",
    "app.disk": "牌局已停止，因为无法写入文件（{detail}）。没有发送过任何未写入磁盘的内容。"
    "请先腾出空间。",
    "app.verifying": "请稍等：这一局的日志还在验证。",
    "app.log_path": "这一局的日志：{path}",
    "app.not_kept": "你的设置没能存下来（{detail}）。",
    "app.wants_again": "{name} 想再来一局：输入 再来。",
    "app.awaits_opener": "你想再来一局。还要等开桌的人也想。",
    "app.opener_gone": "开桌的人已经不在。请自己开一桌。",
    "app.no_rematch": "这一局是接着存档打的，没有桌子可回。输入 离桌，再 开桌。",
    "app.no_game": "还没有开局。没有发送任何内容。",
}
