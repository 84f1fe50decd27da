/** As much of a language as colours need. */
export interface Language {
  /** What begins a comment that ends with its line; empty if nothing does. */
  comment: string
  /** Comments and strings that may go over several lines: what begins them, and what ends them. */
  spanning: readonly (readonly [begin: string, end: string])[]
  /** What stands around a string on one line. */
  quotes: string
  keywords: ReadonlySet<string>
  /** Names before a colon or an equals sign stand out. */
  hasKeys?: boolean
}

const words = (text: string): Set<string> => new Set(text.split(' '))
const cComments = { comment: '//', spanning: [['/*', '*/']] as [string, string][] }
const hash = '#'
const common =
  'if else for while do switch case default break continue return try catch finally throw new this class interface enum extends implements import export package public private protected static final abstract void int long float double boolean char byte short true false null const struct union typedef sizeof volatile extern goto using namespace template typename virtual override operator delete auto signed unsigned register inline nullptr var val fun object when is in as companion data sealed lateinit by init let guard func protocol extension mutating some any nil self super async await yield foreach get set string bool'

const script: Language = {
  ...cComments,
  spanning: [
    ['/*', '*/'],
    ['`', '`'],
  ],
  quotes: `"'`,
  keywords: words(
    'abstract any as async await bigint boolean break case catch class const continue debugger declare default delete do else enum export extends false finally for from function get if implements import in infer instanceof interface is keyof let never new null number of private protected public readonly return satisfies set static string super switch symbol this throw true try type typeof undefined unknown var void while with yield',
  ),
}
const cLike: Language = { ...cComments, quotes: `"'`, keywords: words(common) }
const go: Language = {
  ...script,
  keywords: words(
    'any bool break byte case chan const continue default defer else error fallthrough false float64 for func go goto if import int int64 interface map nil package range return rune select string struct switch true type uint var',
  ),
}
const rust: Language = {
  ...cComments,
  quotes: '"',
  keywords: words(
    'as async await bool break char const continue crate dyn else enum extern f32 f64 false fn for i32 i64 if impl in let loop match mod move mut pub ref return self Self static str struct super trait true type u8 u32 u64 unsafe use usize where while',
  ),
}
const python: Language = {
  comment: hash,
  spanning: [
    ['"""', '"""'],
    ["'''", "'''"],
  ],
  quotes: `"'`,
  keywords: words(
    'and as assert async await break case class continue def del elif else except False finally for from global if import in is lambda match None nonlocal not or pass raise return self True try while with yield',
  ),
}
const ruby: Language = {
  ...python,
  spanning: [['=begin', '=end']],
  keywords: words(
    'alias and begin break case class def defined do else elsif end ensure false for if in module next nil not or redo require rescue retry return self super then true undef unless until when while yield',
  ),
}
const shell: Language = {
  comment: hash,
  spanning: [],
  quotes: `"'`,
  keywords: words(
    'if then else elif fi for while until do done case esac function in return exit export local readonly set unset source alias cd echo sudo FROM RUN COPY ENV WORKDIR CMD ENTRYPOINT ARG EXPOSE ADD USER',
  ),
}
const sql: Language = {
  comment: '--',
  spanning: [['/*', '*/']],
  quotes: `"'`,
  keywords: words(
    'as by if in is on or add all and asc end key not set case desc drop else from into join left like null then view when with alter begin check group index inner limit order outer right table union where column commit create delete exists having insert offset select unique update values between default foreign primary distinct rollback constraint references',
  ),
}
const data: Language = {
  comment: hash,
  spanning: [],
  quotes: `"'`,
  keywords: words('true false null yes no on off'),
  hasKeys: true,
}
const css: Language = {
  comment: '',
  spanning: [['/*', '*/']],
  quotes: `"'`,
  keywords: words('important auto none inherit'),
  hasKeys: true,
}
const markup: Language = { comment: '', spanning: [['<!--', '-->']], quotes: `"'`, keywords: words(''), hasKeys: true }

const named: readonly (readonly [names: string, language: Language])[] = [
  ['ts tsx js jsx mjs cjs mts cts typescript javascript node vue svelte', script],
  ['c h cc cpp cxx hpp c++ cs csharp java kotlin kt swift php scala dart objc m', cLike],
  ['go golang', go],
  ['rs rust', rust],
  ['py python python3', python],
  ['rb ruby ex exs elixir', ruby],
  ['sh bash zsh fish shell console shell-session dockerfile docker make makefile', shell],
  ['sql sqlite postgres psql mysql', sql],
  ['json jsonc json5 yaml yml toml ini conf env properties', data],
  ['css scss sass less', css],
  ['html xml svg markup htm', markup],
]
const languages = new Map(named.flatMap(([names, language]) => names.split(' ').map((name) => [name, language])))

/** By the name that stands behind a fence or at the end of a file's name. */
export const languageOf = (name: string): Language | undefined => languages.get(name.toLowerCase())
