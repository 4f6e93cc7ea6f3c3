"""Traditional Chinese characters as the simplified ones that the catalogue is written in, one for one.

Only what authors write is turned, and quoted so; programs print no such characters. The table holds the characters that
people write about machines and networks with, not the language.
"""

from __future__ import annotations

_PAIRS = (
    "網网絡络節节點点機机動动無无連连問问題题現现狀状態态啟启時时間间錯错誤误鏡镜證证書书內内導导緒绪檢检測测際际認认為为這这個个們们說说"
    "從从當当後后來来會会對对應应該该還还沒没開开關关閉闭設设處处於于發发過过運运維维務务訪访衝冲沖冲廣广協协議议報报錄录誌志記记執执參参"
    "數数據据庫库儲储檔档資资讀读寫写權权遠远環环變变換换載载裝装組组擬拟線线緩缓護护複复雜杂單单雙双兩两幾几萬万級级結结構构繼继續续終终"
    "總总歸归類类別别則则規规劃划範范圍围區区塊块條条項项順顺頻频須须預预領领頭头顯显額额飛飞驗验驅驱體体與与舉举譯译讓让請请調调試试詢询"
    "話话誰谁課课諸诸語语許许訊讯計计訂订訓训討讨詳详謝谢識识負负費费賬账質质購购車车軟软較较輸输轉转輪轮辦办適适選选遞递遲迟遺遗鄰邻釋释"
    "鏈链鐘钟鎖锁鍵键長长門门閾阈閒闲陸陆隊队階阶隨随險险隱隐離离難难電电靜静響响頁页願愿餘余駐驻驟骤麼么齊齐佔占倉仓偵侦偽伪僅仅優优價价"
    "億亿儘尽凍冻創创勢势匯汇卻却嗎吗嘗尝嚴严圖图團团場场壓压壞坏夠够夾夹學学實实審审專专尋寻屆届屬属帳帐帶带幀帧幫帮廢废彈弹強强徑径復复"
    "恆恒慮虑慣惯憑凭擁拥擇择擴扩擾扰攔拦攜携敗败斷断暫暂曉晓東东極极標标樣样樹树橋桥歷历殘残毀毁氣气決决減减準准滿满潰溃濾滤爭争獨独獲获"
    "畫画異异監监盤盘確确碼码礎础種种稱称穩稳筆笔簡简籤签純纯約约紅红細细絕绝給给統统經经綁绑綜综綠绿緊紧編编練练縮缩繞绕聯联聽听脫脱腳脚"
    "腦脑臨临舊旧華华著着蓋盖虛虚號号術术補补裡里裏里製制見见視视覺觉觀观觸触鏽锈軌轨顆颗貼贴遷迁憶忆繫系係系鑰钥彙汇牆墙墻墙訊讯殺杀潔洁"
    "隸隶髒脏疊叠倆俩漢汉瀏浏灣湾獎奖療疗癥症眾众矯矫驛驿礙碍禍祸竄窜競竞紛纷純纯絲丝綫线緣缘縣县繳缴纜缆聞闻聲声肅肃脹胀膽胆薦荐藍蓝蘋苹"
)
_TABLE = str.maketrans(dict(zip(_PAIRS[::2], _PAIRS[1::2], strict=True)))


def simplify(text: str) -> str:
    """The text with simplified characters, as long as it was."""
    return text if text.isascii() else text.translate(_TABLE)
