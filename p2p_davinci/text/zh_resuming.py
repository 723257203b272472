"""Chinese: saved games, and how to go on with them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

RESUMING: Mapping[str, str] = MappingProxyType(
    {
        "cli.about.resume": """\
用法：p2p-davinci resume [游戏] [选项]

接着玩一局存下的游戏：最近的那局，或者写明的那局（saved 列出的编号或桌名，
或日志的名字）。其他玩家也这样做，先后不限；还在运行的会重新找到。
你自己的机器人也会回来。""",
        "cli.about.saved": """\
用法：p2p-davinci saved [选项]

列出还没结束、你可以接着玩的游戏，最近的在前。
它们的日志和别的日志一样可以检查。""",
        "cli.option.delete": "永久删掉这局存下的游戏（编号、桌名或名字）",
        "cli.option.saved.json": "每局一行 JSON 对象",
        "cli.option.resume.address": "除了寻找其他玩家，也拨这个地址",
        "quit.out": "退出程序吗？你已经出局，其他人接着玩。",
        "saved.none": "没有存下的游戏。",
        "saved.head": "有 {count} 局还没结束，最近的在前：",
        "saved.game": "{number}. 桌子 {table}，你是 {me}，同桌 {names}；{messages} 条消息，"
        "最后在 {date}。日志：{file}",
        "saved.how": "接着玩：p2p-davinci resume 编号。删掉：p2p-davinci saved --delete 编号。",
        "saved.how_here": "接着玩：继续 加编号。永久删掉：删除 加编号。",
        "saved.unknown": "没有叫 {word} 的存下的游戏。什么也没发送。",
        "saved.over": "那局已经结束，或者不能再接着玩了：它的秘密已删掉。"
        "想看的话，用 p2p-davinci verify 或 p2p-davinci show，加上 {file}",
        "saved.several": "叫 {word} 的存下的游戏不止一局；请写编号。",
        "saved.deleted": "桌子 {table} 存下的游戏已删掉。",
        "saved.not_deleted": "桌子 {table} 存下的游戏没能删掉，或没有全部删掉：{detail}。",
        "saved.ask_delete": "删掉存下的游戏 {word} 吗？没有你的那份，别人也不能接着玩。",
        "grammar.which_saved": "哪一局？写 继续 或 删除，加上 存档 列出的编号。",
        "resume.begins": "接着玩桌子 {table} 的游戏：{names}。正在寻找其他人。"
        "如果他们不等你就打完了，看其中一位的日志就知道结局：p2p-davinci verify 或 show。",
        "resume.dial": "谁找不到你，可以拨你：p2p-davinci resume --address，加上其中一个："
        "{addresses}",
        "resume.mended": "磁盘上文件的末尾损坏了，或没有写完：{bytes} 个字节已剪掉。"
        "你说过的话另存着，会原样再发；别人说过的会再问一遍。",
        "resume.profile": "那局是你的另一个身份在玩，这个程序现在没有用它。请退出，再用 "
        "p2p-davinci resume。",
        "resume.finished": "那局已经结束，只剩日志可看。",
        "resume.void": "那局作废了：日志证明有人作弊。",
        "resume.stranger": "那局是用另一个身份玩的，只有那个身份能接着玩。",
        "resume.log": "那局的日志损坏了（{detail}），所以什么也没发送。"
        "把同一局另一位玩家的日志复制过来盖掉你的，再接着玩：里面是同一局。",
        "resume.secrets": "你的秘密文件和日志对不上（{detail}），所以什么也没发送。"
        "没有它你不能接着玩。",
        "resume.other": "那局不能接着玩（{reason}）。",
        "identity.held": "你的另一个程序正在用这个身份（{detail}）。两个程序绝不玩同一局。"
        "请先关掉它。",
        "identity.missing": "玩这局的身份不在这里（{detail}）。请用当时的文件夹：--data DIR。",
        "help.saved": "存档：还没结束、可以接着玩的游戏。",
        "help.resume": "继续 1：接着玩存下的游戏，写列表里的编号。",
        "help.delete": "删除 1：永久删掉一局存下的游戏。会先问你。",
    }
)
