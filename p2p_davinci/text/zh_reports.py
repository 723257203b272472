"""Chinese: the command line's help pages and refusals, and reports on logs."""

from __future__ import annotations

from collections.abc import Mapping

REPORTS: Mapping[str, str] = {
    # help pages, at most 79 columns; an option's lines have 55
    "cli.about.console": """\
达芬奇密码，给同一个网络里的朋友：没有服务器，每一步都有证明。

用法：p2p-davinci [选项]
      p2p-davinci 命令 [选项]

不写命令就打开控制台：找桌、开桌或入座，然后玩。

命令：
  play      开一桌就玩，不另说就与一个机器人玩
  open      开一桌，等别人来
  join      加入这个网络上的一桌
  resume    接着玩一局存下的游戏
  saved     列出存下的游戏，或删掉一局
  tables    列出这个网络上的桌子
  verify    检查日志：证明了什么，该怪谁
  show      一步一步讲述日志里的游戏
  referee   裁判公开记录，每行一个 JSON 对象
  id        你的名字、指纹、文件夹和地址
  completion  bash、zsh 或 fish 的补全脚本

p2p-davinci 命令 --help 详细说明一个命令。

退出码：0 玩到最后，或事已办完；1 出错，或文件读不了；2 命令看不懂；
3 未完成；4 看到作弊，或验证没有通过；130、143、129 被信号结束。""",
    "cli.about.play": """\
用法：p2p-davinci play [选项]

开一桌就玩。机器人是独立的程序，各坐一座；余下的座位等这个网络上的人。""",
    "cli.about.open": """\
用法：p2p-davinci open [选项]

在这个网络上开一桌，等座位坐满。""",
    "cli.about.join": """\
用法：p2p-davinci join [桌名 | 主机:端口] [选项]

加入一桌：叫这个名字的（名字，几张同名时写 名字/指纹），在这个地址的；
都不写就加入唯一开着的那张。""",
    "cli.about.tables": """\
用法：p2p-davinci tables [选项]

列出这个网络上有回应的桌子。""",
    "cli.about.verify": """\
用法：p2p-davinci verify 日志... [选项]

检查日志或证据文件，只凭文件里的签名、证明和规则。每个文件说出：结论，
谁赢了，该怪谁、哪项检查没有通过，谁没有签结果，什么不在证明之内。

同一局的几份日志合起来读：谁在两份日志里签了两样话，就说出是谁，以及哪几条
记录是证据。

几个文件的退出码取最坏的：4 证明了有人作弊，或文件无效；1 读不了；
3 有效但未完成；0 有效并已完成。""",
    "cli.about.show": """\
用法：p2p-davinci show 日志 [选项]

一步一步讲述日志里的游戏。一轮的密钥公开之后，立着的牌也显示出来。
退出码与 verify 相同；但用 --json 时，游戏已结束却没有人给出密钥，也就
没有公开记录，退出码是 1。""",
    "cli.about.referee": """\
用法：p2p-davinci referee [文件]

读取公开记录，每行一个 JSON 对象（不写文件就读标准输入），按规则走一遍，
每行打印一个 JSON 结果。退出码 1：文件读不了；结果如何不影响退出码。""",
    "cli.about.id": """\
用法：p2p-davinci id [选项]

说出你的名字，别人认你的指纹，文件在哪里，别人用什么地址能找到你。
不打扰正在进行的游戏。""",
    "cli.about.completion": """\
用法：p2p-davinci completion bash|zsh|fish

输出让 shell 补全命令和选项的脚本。请存到 shell 会找的地方：
  bash  ~/.local/share/bash-completion/completions/p2p-davinci
  zsh   _p2p-davinci，放在 $fpath 的一个文件夹里
  fish  ~/.config/fish/completions/p2p-davinci.fish""",
    "cli.options": "选项：",
    "cli.option.lang": "语言；不写就按 LC_ALL、LC_MESSAGES、LANG",
    "cli.option.data": "所有文件放在这个文件夹下；不写就按\n"
    "P2P_DAVINCI_DATA，或系统放这类数据的地方",
    "cli.option.version": "说出版本",
    "cli.option.help": "这一页",
    "cli.option.interface": "只用这个网络接口（名字或它的地址）；可以写多次",
    "cli.option.wait": "掉线的玩家等多少秒（60）",
    "cli.option.join.wait": "找桌找多少秒，之后掉线的玩家也等这么久（60）",
    "cli.option.tables.wait": "找多少秒（5）",
    "cli.option.name": "你在桌上的名字，最多 16 列宽",
    "cli.option.plain": "每行一件事，不重绘",
    "cli.option.tiles": "屏幕上牌的画法：box、block、ascii，或 auto：\n由程序询问终端（auto）",
    "cli.option.auto": "由机器人替你玩",
    "cli.option.pace": "替你玩的机器人每步之前等多少秒（0）",
    "cli.option.bots": "几个机器人参加，0 到 3（1）",
    "cli.option.open.bots": "几个机器人参加，0 到 3（0）",
    "cli.option.bot_cheats": "让第一个机器人作弊，看它如何被识破：false-miss、\n"
    "stacked-deck、wrong-share、unsorted-row、out-of-turn、\n"
    "two-faces、changed-contract",
    "cli.option.cheat": "机器人要做的违规之事（见 play --help）；须与 --auto\n"
    "同用，用来演示如何被识破",
    "cli.option.seats": "几个人玩，2 到 4（你和机器人）",
    "cli.option.open.seats": "几个人玩，2 到 4（2）",
    "cli.option.rules": "classic（默认）、standard、advanced 或 tournament",
    "cli.option.option": "改规则的一个选项；可以写多次。\n"
    "选项：jokers、twelve、backs、call、empty_miss、\n"
    "first、clock、scoring、rounds、tie、aids",
    "cli.option.address": "找不到桌子时拨这个地址",
    "cli.option.tables.json": "每张桌子一行 JSON 对象",
    "cli.option.verify.json": "每个文件一行 JSON 对象",
    "cli.option.explain": "说明每一步由谁证明了什么，为什么可信",
    "cli.option.show.json": "裁判读得懂的公开记录",
    # a command line that cannot be understood, or not be obeyed
    "cli.no_command": "没有命令 {command}。",
    "cli.late_option": "不写命令时没有选项 {option}。请先写命令，例如 p2p-davinci play --rules "
    "standard。",
    "cli.bad_use": "{option} 写得不对：缺少值，或者多写了值。",
    "cli.left_over": "这在这里没有意义：{words}",
    "cli.file_missing": "哪个文件？请写在命令后面。",
    "cli.see_help": "{program} --help 列出命令，{program} 命令 --help 列出它的选项。",
    "cli.shell": "请说明是哪个 shell：{shells}。",
    "cli.tiles": "没有叫 {value} 的画法；有 {kinds}。",
    "cli.lang": "没有语言 {lang}；有 en 和 zh。",
    "cli.whole": "{option} 要是 {low} 到 {high} 的整数，不能是 {value}。",
    "cli.seconds": "{option} 要是 {low} 到 {high} 的秒数，不能是 {value}。",
    "cli.bots": "{seats} 个座位里一个是你的，最多坐 {most} 个机器人，不能坐 {bots} 个。",
    "cli.no_cheat": "没有名为 {value} 的作弊手法；可用的有 {names}。",
    "cli.no_bot": "--bot-cheats 要有机器人参加才有意义：请加上 --bots 1。",
    "cli.cheat_alone": "--cheat 只用于替你出牌的机器人：请加上 --auto。",
    "cli.pace": "--pace 是给替你玩的机器人的：请加上 --auto。",
    "cli.option_form": "选项写成 名字=值，例如 jokers=no；不能写成 {value}。",
    "cli.option_twice": "选项 {option} 写了两次。",
    "cli.address": "{value} 不是地址。地址写成 主机:端口，例如 192.168.1.20:40000；IPv6 写成 "
    "[主机]:端口。",
    "cli.name": "这不能做名字：要有看得见的字，最多 64 字节。",
    "cli.other": "命令看不懂（{reason}）。",
    "cli.no_interface": "这台机器没有网络接口 {name}。它有：{names}。",
    "cli.system": "系统拒绝了本程序需要的东西：{detail}。",
    "cli.crash": "这不应该发生，是程序的错误。报告在 {path}。",
    "cli.crash_unkept": "这不应该发生，是程序的错误。上面的报告没能存进文件。",
    # id
    "id.name": "名字：{name}",
    "id.fingerprint": "指纹：{fingerprint}",
    "id.profile": "{profile} 的指纹（第一个身份被占用时使用）：{fingerprint}",
    "id.data": "文件：{path}",
    "id.logs": "日志：{path}",
    "id.address": "{interface} 的地址：{addresses}",
    "id.no_address": "没有别人能找到你的地址。",
    # verify
    "report.table": "桌子 {table}，规则 {rules}，{rounds} 轮中的 {played} 轮。",
    "report.player": "{seat} {name}，指纹 {fingerprint}",
    "report.key": "所指控的密钥：指纹 {fingerprint}，{public}",
    "report.key_alone": "两个签名就是证明，与其余的牌局无关。密钥属于谁，只能看指纹。",
    "report.session": "会话：{session}",
    "report.no_rows": "发牌没有完成。",
    "report.invalid": "无效：{what}（{check}）。",
    "report.evidence": "作弊的证据：{seat} 号座位上持有这个密钥的人，在第 {step} 步说了两种不同的"
    "话，并且都签了名。",
    "report.no_evidence": "不能证明任何人作弊：{what}（{check}）。",
    "report.no_file": "读不了：{detail}。",
    "report.no_log": "不是这个游戏的日志。",
    "report.unreadable": "读不了：{what}（{check}）。",
    "report.note": "日志主人的备注，没有任何证明：{text}",
    "report.saved": "{name} 让游戏停下，打算改天再接着玩。",
    "report.suspicion": "{name} 发来的东西没有通过检查：{what}（{check}）。",
    "report.covered": "由证明和签名涵盖：密钥、洗牌、谁拿了哪张牌、每一列的顺序、每个回答、"
    "每张翻开的牌、每一步和结果。",
    "report.names": "名字是玩家自己起的；是谁，只看指纹，或者大声核对过的词。",
    "report.summary": "{files} 个文件：{finished} 个已完成，{unfinished} 个未完成，{cheating} 个"
    "作废、无效或是证据，{unreadable} 个读不了。",
    "report.progress": "{total} 个中的 {done} 个",
    # several logs of one game
    "together.files": "桌子 {table} 上同一局的日志：{files}。",
    "together.agree": "它们各自记到哪里，就一致到哪里。",
    "together.contradict": "{one} 和 {other} 互相矛盾：从第 {round} 轮第 {step} 步起分开。",
    "together.behind": "{behind} 以 {name} 在第 {round} 轮第 {step} 步的话结束；在 {ahead} 里，"
    "其余的人不等 {name} 而继续。两份都可能是诚实的，这一局以 {ahead} 为准。",
    "together.unexplained": "里面没有签名能说明是谁使它们不同。",
    "together.record": "{file} 的第 {record} 条记录",
    "together.convicted": "{name} 在第 {step} 步作弊，算输：{what}（{check}）。证据：{where}。",
    "together.won": "合起来看，获胜：{names}。",
    "check.record": "牌面与走法不符",
    # show
    "show.round": "第 {round} 轮",
    "show.commit": "{names} 封存密钥和自己那份掷币。",
    "show.open": "{names} 公开封存的东西。",
    "show.compare": "要大声核对的词：{words} / {digits}",
    "show.shuffle": "{names}：牌洗过并重新遮住。",
    "show.take.you": "你拿 {black} 张黑牌和 {white} 张白牌。",
    "show.take.other": "{name} 拿 {black} 张黑牌和 {white} 张白牌。",
    "show.shares": "发到的牌各自只为牌主揭开。",
    "show.was": "这张是{tile}。",
    "show.receipt": "{names} 签署结果。",
    "show.no_keys": "立着的牌仍然看不见：没有打开它们的密钥，就没有公开记录。",
}
