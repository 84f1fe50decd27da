import type { WorkBudget } from '../util/work-budget.ts'
import type { Language } from './inner.ts'

type Foreign = Exclude<Language, 'shell'>

/** What code of another language does with the world, as far as its literals tell. */
interface ForeignReading {
  /** Lines of shell that it runs. */
  readonly lines: readonly string[]
  /** Programs with their words. */
  readonly calls: readonly (readonly string[])[]
  readonly reads: readonly string[]
  readonly writes: readonly string[]
  readonly deletes: readonly string[]
  /** It starts a program, and which one is not written there. */
  readonly isOpen: boolean
  /** It runs code that it makes at run time, or that it gets from the network. */
  readonly isMade: boolean
  /** It writes what it gets from the network. */
  readonly isFetching: boolean
}

/** Whoever has these can start a program in more ways than are looked for. */
const ABLE: Readonly<Partial<Record<Foreign, RegExp>>> = {
  python: /\bsubprocess\b|\bpty\b|getattr\s*\(\s*(?:os|__import__)|from\s+os\s+import/,
  node: /child_process/,
  perl: /\bopen\b[^;]*\|/,
}

/** The beginning of what starts a program, up to its first argument. */
const STARTS: Readonly<Record<Foreign, RegExp>> = {
  python:
    /\b(?:(?:os\.)?(?:system|popen)|subprocess\.\w+|Popen|check_call|check_output|getoutput|getstatusoutput|os\.(?:exec|spawn|posix_spawn)\w*|pty\.spawn|(?<![.\w])run)\s*\(\s*/g,
  node: /(?:\b(?:execSync|execFileSync|execFile|spawnSync|spawn|Bun\.\$|\$)|(?:child_process['"]\)|\bcp|\bchild_process)\s*\.\s*exec|(?<![.\w])exec)\s*[(`]\s*/g,
  perl: /(?:\b(?:system|exec|popen)\b\s*\(?\s*|\bqx\s*(?=[{(/'|])|(?=`))/g,
  ruby: /(?:\b(?:system|exec|spawn|popen|capture2e?|capture3)\b\s*\(?\s*|%x(?=[{([])|(?=`))/g,
  php: /(?:\b(?:system|exec|shell_exec|passthru|popen|proc_open)\s*\(\s*|(?=`))/g,
  lua: /\b(?:os\.execute|io\.popen)\s*\(?\s*/g,
  awk: /\bsystem\s*\(\s*|\|\s*(?=")|(?=(?:"(?:[^"\\]|\\.)*")\s*\|\s*getline)/g,
}
const STRING =
  /[rbuf]{0,2}(?:'''([\s\S]*?)'''|"""([\s\S]*?)"""|'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/y
const BRACKETED = /\{([^}]*)\}|\(([^)]*)\)|\[([^\]]*)\]|\/([^/]*)\/|\|([^|]*)\|/y
const BETWEEN = /[\s,[(]*(?:\+|\.\.?)?[\s,[(]*/y
const LONGEST_CALL = 60

const QUOTED = String.raw`[rbu]?(?:"((?:[^"\\\n]|\\.)+)"|'((?:[^'\\\n]|\\.)+)')`
const DELETES = new RegExp(
  String.raw`\b(?:rmtree|rmSync|rmdirSync|unlinkSync|unlink|rmdir|removedirs|rm_rf|rm_r|remove_dir|os\.remove|fs\.rm|rm|remove_entry|remove_tree)\s*(?:\(\s*)?(?:glob\s*\(?\s*)?(?:(?:Path|os\.path\.expanduser|File\.expand_path)\s*\(\s*)?${QUOTED}`,
  'g',
)
const WRITES = new RegExp(
  String.raw`\b(?:writeFileSync|writeFile|appendFileSync|appendFile|createWriteStream|file_put_contents|File\.write)\s*\(\s*${QUOTED}|\bopen\s*\(\s*${QUOTED}\s*,\s*(?:mode\s*=\s*)?["'][wax>+][^"']*["']|\bPath\s*\(\s*${QUOTED}\s*\)\s*\.\s*(?:write_\w+|rename|unlink|chmod)|\b(?:os\.(?:rename|replace|chmod|truncate|chown)|shutil\.move|renameSync|rename|chmodSync|truncateSync|File\.(?:rename|chmod|delete|truncate))\s*\(?\s*${QUOTED}|\b(?:os\.symlink|symlinkSync|os\.link)\s*\([^,]*,\s*${QUOTED}`,
  'g',
)
/** Languages in which a sign says that a file is written. */
const SIGNED_WRITES: Readonly<Partial<Record<Foreign, RegExp>>> = {
  awk: /\bprintf?\b[^;}\n]*>>?\s*"([^"]+)"/g,
  perl: /\bopen\b[^;\n]*?["']\s*\+?>{1,2}(?:["']\s*,\s*["'])?\s*([^"']+)["']/g,
}
const READS = new RegExp(
  String.raw`\b(?:readFileSync|readFile|createReadStream|file_get_contents|File\.read|open)\s*\(\s*${QUOTED}(?!\s*,\s*(?:mode\s*=\s*)?["'][wax>])|\bPath\s*\(\s*${QUOTED}\s*\)\s*\.\s*read_\w+`,
  'g',
)
const HOME =
  /\b(?:rmtree|rmSync|rm_rf|rm_r|remove_dir|fs\.rm|rm)\s*(?:\(\s*)?(?:Path\.home\(\)|(?:os\.|require\(['"](?:node:)?os['"]\)\.)?homedir\(\)|process\.env\.HOME|os\.environ\[['"]HOME['"]\]|ENV\[['"]HOME['"]\]|Dir\.home)/
const MAKES_CODE = /\b(?:exec|eval|compile|Function)\s*\(/
const RUNS_INPUT = /\bexec\s*\([^\n]*(?:stdin|urlopen|requests\.)/
const DISGUISES =
  /b64|base64|fromhex|\bchr\s*\(|fromCharCode|decode\s*\(|decompress|rot13|\[::-1\]|\.reverse\(|atob|pack\s*\(/

export function readForeign(language: Foreign, code: string, work: WorkBudget): ForeignReading {
  work.spend(code.length * (1 + Math.ceil(beginnings(code) / LOOKS_PER_UNIT)))
  const lines: string[] = []
  const calls: (readonly string[])[] = []
  let isOpen = false
  let until = 0
  let isStarting = false
  for (const start of code.matchAll(STARTS[language])) {
    if (start.index < until) continue
    if (start[0].startsWith('run') && !/from\s+subprocess\s+import/.test(code)) continue
    const strings = stringsAt(code, start.index + start[0].length - (start[0].endsWith('`') ? 1 : 0), language)
    until = strings.end
    isStarting = true
    if (strings.texts.length === 0) isOpen = true
    else if (strings.texts.every((text) => text === '')) {
      // `"".join(…)`: the words are made of something else.
      if (/^\s*\.\s*[a-z]/i.test(code.slice(strings.end))) isOpen = true
    } else if (strings.texts.length === 1 || strings.isJoined)
      lines.push(opened(strings.texts.join(''), code.slice(strings.end)))
    else
      calls.push([...withoutName(strings.texts, start[0]), ...(GOES_ON.test(code.slice(strings.end)) ? [UNTOLD] : [])])
  }
  isOpen ||= !isStarting && ABLE[language]?.test(code) === true
  const isFetched = FETCHES.test(code)
  const isMade =
    (MAKES_CODE.test(code) && DISGUISES.test(code)) ||
    RUNS_INPUT.test(code) ||
    INCLUDES_ADDRESS.test(code) ||
    (isFetched && RUNS_TEXT.test(code))
  return {
    lines,
    calls,
    isOpen,
    isMade,
    isFetching: isFetched && (/urlretrieve/.test(code) || WRITES_ANYWHERE.test(code)),
    reads: all(READS, code).map(placed(code)),
    writes: [
      ...all(WRITES, code),
      ...all(SIGNED_WRITES[language], code),
      ...(WRITES_NAMED.test(code) ? [...code.matchAll(FILE_LITERAL)].map(([, path = '']) => path) : []),
    ].map(placed(code)),
    deletes: [...all(DELETES, code), ...(HOME.test(code) ? ['~'] : []), ...namedElsewhere(code)].map(placed(code)),
  }
}

const FETCHES =
  /\burlopen\b|\burlretrieve\b|\brequests\.(?:get|post)\b|\bhttpx\.|\bfetch\(|\bLWP\b|HTTP::Tiny|open-uri|URI\.open|Net::HTTP|file_get_contents\(.https?|curl_exec|\bhttps?(?:['"]\))?\.get\(|socket\.http|\bimport\(.https?:/
/** Text that is run, and not written out there. */
const RUNS_TEXT =
  /(?<![.\w])(?:exec|eval|load|loadstring)\s*\(|runIn\w*Context|\binput\s*[=:]|\bos\.system\s*\(\s*[a-z_]|\brunpy\b|\bvm\.run|\bnew Function\b|instance_eval|stdin\.write|\bshell_exec\s*\(\s*\$/
const INCLUDES_ADDRESS = /\b(?:include|require)(?:_once)?\s*\(?\s*["']https?:/
const WRITES_ANYWHERE =
  /\bopen\s*\([^)\n]*["'][wax]|write_(?:text|bytes)\s*\(|writeFile|file_put_contents|File\.write|copyfileobj/

/** A path from the directory that the code has gone to. */
const placed = (code: string): ((path: string) => string) => {
  const [, directory] = /\bchdir\s*\(?\s*["']([^"'\n]+)["']/.exec(code) ?? []
  return (path) => (directory === undefined || /^[/~]/.test(path) ? path : `${directory}/${path}`)
}

/** Stands for what only the run of the code can tell; a shell reads it as a variable that nobody knows. */
export const UNTOLD = '$_'
/** More than literals: `+ x`, `% x`, `.format(x)`, `, shift`. */
const GOES_ON = /^\s*(?:\+|%|\.{1,2}\s*[a-z]|,\s*(?:\*|\.{3})?[a-z$@]|[\w$])/i

/** A text with what is put into it: `f"git push {x}"`, `"git push %s" % x`, `"git push " + x`. */
const opened = (text: string, rest: string): string => {
  const filled = text.replaceAll(/\$?\{[^{}]*\}|%[sdr]\b|%\(\w+\)s/g, UNTOLD)
  return GOES_ON.test(rest) ? `${filled}${UNTOLD}` : filled
}

/** A tree that is named elsewhere in the code than where it is deleted: any path that stands there may be it. */
const DELETES_TREE =
  /\b(?:rmtree|rmSync|rmdirSync|rm_rf|rm_r|remove_dir|remove_tree|remove_entry|removedirs|fs\.rm|fsp\.rm|del|rimraf)\s*(?:\(\s*)?(?!["'\s])[\w$@]|\b(?:rmtree|rmSync|rm_rf|removedirs)\s*(?:\)|,|;|:|\]|as\b|$)/m
const PATH_LITERAL = /["'`](~?\/[^"'`\n]*|~|\.\.(?:\/[^"'`\n]*)?)["'`]/g
/** Files that are deleted one by one, on a walk through a tree. */
const WALKS =
  /\bos\.walk|\bglob\b|\.rglob|iterdir|listdir|scandir|readdir|\bfind(?:depth)?\s*\(|\bFind\b|Dir\.(?:each|children|entries)|<~?\//
const DELETES_FILE = /\bunlink\w*\b|\bos\.remove\b|\bFile\.delete\b|\brmSync\b|\bfs\.rm\b/
const IN_ANGLES = /<(~?\/[^<>\n]*)>/g
const HOME_NAMED = /Path\.home\(\)|expanduser|homedir\(\)|\bHOME\b|Dir\.home/

const namedElsewhere = (code: string): readonly string[] => {
  if (!DELETES_TREE.test(code) && !(WALKS.test(code) && DELETES_FILE.test(code))) return []
  const named = [...code.matchAll(PATH_LITERAL), ...code.matchAll(IN_ANGLES)].map(([, path = '']) => path)
  return HOME_NAMED.test(code) ? [...named, '~'] : named
}

/** A file that is named elsewhere in the code than where it is written. */
const WRITES_NAMED =
  /\bopen\s*\(\s*[A-Za-z_]\w*\s*,\s*["'][wax]|\bwriteFileSync\s*\(\s*[A-Za-z_$]|\bwrite_(?:text|bytes)\s*\(/
const FILE_LITERAL = /["'`]((?:~?\/|\.)[\w./-]+)["'`]/g

/** How many looks ahead of an expression, up to the end of the code each, cost as much as one unit for each letter. */
const LOOKS_PER_UNIT = 16

/** Where an expression may begin to fit, and look on from there. */
function beginnings(code: string): number {
  let count = 0
  for (const _ of code.matchAll(/\b(?:open|exec|printf?|run|system|popen|spawn|symlink|link)/g)) count++
  return count
}

const all = (pattern: RegExp | undefined, code: string): readonly string[] =>
  (pattern === undefined ? [] : [...code.matchAll(pattern)]).map((match) =>
    unescaped(match.slice(1).find((each) => each !== undefined) ?? ''),
  )

/** The literals of a call: `"git " + "push"` is one text, `["git", "push"]` are words. */
function stringsAt(
  code: string,
  from: number,
  language: Foreign,
): { texts: readonly string[]; isJoined: boolean; end: number } {
  const texts: string[] = []
  let isJoined = false
  let at = from
  if (language === 'perl' || language === 'ruby') {
    BRACKETED.lastIndex = at
    const body = /^(?:qx|%x)$/.test(code.slice(at - 2, at))
      ? BRACKETED.exec(code)
          ?.slice(1)
          .find((each) => each !== undefined)
      : undefined
    if (body !== undefined) return { texts: [body], isJoined: false, end: BRACKETED.lastIndex }
  }
  while (texts.length < LONGEST_CALL) {
    BETWEEN.lastIndex = at
    const between = BETWEEN.exec(code)?.[0] ?? ''
    STRING.lastIndex = at + between.length
    const string = STRING.exec(code)
    if (string === null) break
    if (texts.length > 0 && !between.includes(',')) isJoined = true
    texts.push(unescaped(string.slice(1).find((each) => each !== undefined) ?? ''))
    at = STRING.lastIndex
  }
  return { texts, isJoined, end: at }
}

/** `execvp("git", ["git", "push"])` says the name twice. */
const withoutName = (texts: readonly string[], start: string): readonly string[] =>
  /os\.(?:exec|spawn|posix)/.test(start) && texts[0] === texts[1] ? texts.slice(1) : texts

const unescaped = (text: string): string =>
  text.replaceAll(
    /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|([0-7]{3})|([\s\S]))/g,
    (_, hex?: string, unicode?: string, octal?: string, plain?: string) => {
      if (hex !== undefined || unicode !== undefined)
        return String.fromCharCode(Number.parseInt(hex ?? unicode ?? '', 16))
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8))
      return plain === 'n' ? '\n' : (plain ?? '')
    },
  )
