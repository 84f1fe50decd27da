import { dirname } from 'node:path/posix'
import { withoutEnd } from './ends.ts'
import { findParts, foundBy } from './find.ts'
import { type Options, readOptions } from './options.ts'
import { baseName } from './programs.ts'
import { type Field, field } from './state.ts'
import { languageOf } from './interpreters.ts'

type Path = string | null

/** Files that one program touches; null for one that cannot be told. */
export interface Effects {
  readonly reads: readonly Path[]
  readonly writes: readonly Path[]
  readonly deletes: readonly Path[]
  /** What is written with all that is in it, if it is a directory. */
  readonly trees: readonly Path[]
  /** A directory of each work tree of which it gives up all that is not committed. */
  readonly resets: readonly Path[]
}

export interface Place {
  readonly directory: string | null
  readonly home: string | null
  /** The repository that `GIT_DIR` names. */
  readonly gitDirectory?: string | null
}

export const NO_EFFECTS: Effects = { reads: [], writes: [], deletes: [], trees: [], resets: [] }

/** A word as a path: absolute where the directory is known. Patterns of the shell stay in it, and `..`, which links lead astray. */
export function pathOf({ text, isKnown }: Field, { directory, home }: Place): Path {
  if (!isKnown || text === '') return null
  const own = atHome(text, directory, home)
  const isPlaced = own.startsWith('/') || own.startsWith('~') || directory === null
  const path = (isPlaced ? own : `${directory}/${own}`).replace(/\/(?:\.?\/)+/g, '/').replace(/^(?:\.\/)+(?=.)/, '')
  return path.replace(/(?<=.)\/\.?$/, '')
}

/** `~`, `~+` is the directory itself, and somebody else's home lies beside one's own. */
function atHome(text: string, directory: string | null, home: string | null): string {
  const [, name] = /^~([\w+-]*)(?:\/|$)/.exec(text) ?? []
  if (name === '+' && directory !== null) return directory + text.slice(2)
  if (name === undefined || name === '+' || name === '-' || home === null) return text
  const whose = name === '' ? home : name === 'root' ? '/root' : `${dirname(home)}/${name}`
  return whose + text.slice(1 + name.length)
}

interface Call {
  readonly program: string
  readonly options: Options
  readonly args: readonly Field[]
  readonly place: Place
}
type Teller = (call: Call) => Partial<Effects>

const paths = ({ place }: Call, fields: readonly Field[]): readonly Path[] =>
  fields.filter(({ text }) => text !== '-').map((each) => pathOf(each, place))

const has = ({ options }: Call, ...flags: readonly string[]): boolean =>
  flags.some((flag) => options.flags.includes(flag))
const given = ({ options }: Call, ...flags: readonly string[]): readonly Field[] =>
  flags.flatMap((flag) => options.values.get(flag) ?? [])
const operands = (call: Call): readonly Path[] => paths(call, call.options.operands)
const below = (fields: readonly Field[], from: number): readonly Field[] => fields.slice(from)

const readsAll: Teller = (call) => ({ reads: operands(call) })
const writesAll: Teller = (call) => ({ writes: operands(call) })
const deletesAll: Teller = (call) => ({ deletes: operands(call) })
/** Whoever changes modes or owners of all that is here means none of it in particular. */
const writesAfter =
  (own: number): Teller =>
  (call) => {
    const words = below(call.options.operands, own)
    const trees = words.filter(({ text }) => text !== '.')
    return { writes: paths(call, words), trees: paths(call, trees) }
  }

/** A pattern or a script comes first, unless a flag gives it. */
const searches =
  (...flags: readonly string[]): Teller =>
  (call) => ({
    reads: [
      ...paths(call, below(call.options.operands, has(call, ...flags) ? 0 : 1)),
      ...paths(call, given(call, '-f', '--file')),
    ],
  })

/** Where copies land: in the directory, if it is one, else under the name itself. A name with a dot is taken for a file. */
function landing(
  call: Call,
  sources: readonly Field[],
  target: Field | undefined,
  isDirectory: boolean,
): readonly Path[] {
  if (target === undefined) return [null]
  const to = pathOf(target, call.place)
  if (to === null) return [null]
  const inside = sources.map((source) => (source.isKnown ? `${to}/${nameOf(source.text)}` : null))
  if (isDirectory || /(?:^|\/)\.{0,2}$/.test(target.text)) return inside
  return baseName(target.text).includes('.') ? [to] : [to, ...inside]
}

/** What a source is called where it lands: of `host:file` and `s3://bucket/file` the file. */
const nameOf = (source: string): string => baseName(withoutEnd(source, '/')).replace(/^[\w.@-]+:+/, '')

interface Copied {
  readonly sources: readonly Field[]
  readonly targets: readonly Path[]
  /** Where a directory would lie then. */
  readonly trees: readonly Path[]
}

function copied(call: Call): Copied {
  const [directory] = given(call, '-t', '--target-directory')
  const words = call.options.operands
  const sources = directory === undefined ? words.slice(0, -1) : words
  const target = directory ?? (words.length > 1 ? words.at(-1) : undefined)
  const trees = landing(call, sources, target, true)
  if (target !== undefined && has(call, '-T', '--no-target-directory')) {
    const to = [pathOf(target, call.place)]
    return { sources, targets: to, trees: to }
  }
  return { sources, targets: landing(call, sources, target, directory !== undefined || sources.length > 1), trees }
}

const copies: Teller = (call) => {
  const { sources, targets, trees } = copied(call)
  const isWhole = has(call, '-r', '-R', '-a', '--recursive', '--archive')
  return { reads: paths(call, sources), writes: targets, trees: isWhole ? trees : [] }
}
const moves: Teller = (call) => {
  const { sources, targets, trees } = copied(call)
  const from = paths(call, sources)
  return { writes: [...from, ...targets], deletes: from, trees: [...from, ...trees] }
}
const links: Teller = (call) => {
  const { operands: words } = call.options
  const [only] = words
  if (words.length !== 1 || only === undefined) {
    const { targets } = copied(call)
    return { writes: targets, trees: targets }
  }
  return { writes: landing(call, [only], { ...only, text: '.' }, true) }
}

const sed: Teller = (call) => {
  const { reads = [] } = searches('-e', '-f', '--expression', '--file')(call)
  const isInPlace = call.args.some(({ text }) => /^(?:-[nEresz]*i|--in-place)/.test(text))
  return isInPlace ? { reads, writes: reads } : { reads }
}

const perl: Teller = (call) => {
  const isInPlace = call.args.some(({ text }) => /^-[A-Za-z0-9]*i/.test(text) && !/^-[IMm]/.test(text))
  const code = call.args.findIndex(({ text }) => /^-[A-Za-z0-9.]*[eE]$/.test(text))
  const files = code < 0 ? call.options.operands : call.options.operands.filter((each) => each !== call.args[code + 1])
  return isInPlace ? { reads: paths(call, files), writes: paths(call, files) } : { reads: paths(call, files) }
}

const awk: Teller = (call) => {
  const { reads = [] } = searches('-f', '--file')(call)
  const isInPlace = given(call, '-i', '--include').some(({ text }) => text === 'inplace')
  return isInPlace ? { reads, writes: reads } : { reads }
}

const ruby: Teller = (call) =>
  call.args.some(({ text }) => /^-[lnpae0]*i/.test(text)) ? perl(call) : interpreted(call)

const dd: Teller = (call) => {
  const of = (key: string): readonly Path[] =>
    paths(
      call,
      call.args.filter(({ text }) => text.startsWith(key)).map((arg) => ({ ...arg, text: arg.text.slice(key.length) })),
    )
  return { reads: of('if='), writes: of('of=') }
}

const curl: Teller = (call) => {
  const sent = given(call, '-d', '--data', '--data-binary', '--data-raw', '--data-urlencode', '-F', '--form')
    .filter(({ text }) => /^(?:\w+=)?[@<]/.test(text))
    .map((each) => ({ ...each, text: each.text.replace(/^(?:\w+=)?[@<]/, '').replace(/;.*$/, '') }))
  const local = call.options.operands
    .filter(({ text }) => text.startsWith('file://'))
    .map((each) => ({ ...each, text: each.text.slice(7) }))
  const named = has(call, '-O', '--remote-name')
    ? call.options.operands.map((each) => ({ ...each, text: baseName(each.text) }))
    : []
  return {
    reads: paths(call, [...sent, ...local, ...given(call, '-T', '--upload-file', '-K', '--config')]),
    writes: paths(call, [...given(call, '-o', '--output', '-c', '--cookie-jar'), ...named]),
  }
}

const wget: Teller = (call) => {
  const to = given(call, '-O', '--output-document')
  const [directory] = given(call, '-P', '--directory-prefix')
  if (to.length > 0) return { writes: paths(call, to) }
  return {
    writes: call.options.operands.flatMap((each) => landing(call, [each], directory ?? { ...each, text: '.' }, true)),
  }
}

const tar: Teller = (call) => {
  const [first] = call.args
  const bundle = first !== undefined && /^[A-Za-z]+$/.test(first.text) ? `-${first.text}` : ''
  const args =
    bundle === '' ? call.args : [{ ...first, text: bundle, isKnown: true, isPattern: false }, ...call.args.slice(1)]
  const read = { ...call, options: readOptions('tar', args) }
  const archive = paths(read, given(read, '-f', '--file'))
  if (has(read, '-x', '--extract', '--get')) return { reads: archive, writes: [null] }
  if (!has(read, '-c', '-r', '-u', '--create', '--append', '--update')) return { reads: archive }
  const [directory] = given(read, '-C', '--directory')
  const place = directory === undefined ? call.place : { ...call.place, directory: pathOf(directory, call.place) }
  const packed = operands({ ...read, place })
  return { writes: archive, reads: packed, deletes: has(read, '--remove-files') ? packed : [] }
}

const rsync: Teller = (call) => {
  const words = call.options.operands
  const target = words.at(-1)
  const isRemote = target === undefined || /^[^/]*:/.test(target.text)
  const sources = paths(
    call,
    words.slice(0, -1).filter(({ text }) => !/^[^/]*:/.test(text)),
  )
  if (isRemote) return { reads: sources }
  const deletes = call.options.flags.some((flag) => flag.startsWith('--delete')) ? [pathOf(target, call.place)] : []
  const removed = has(call, '--remove-source-files') ? sources : []
  const trees = words
    .slice(0, -1)
    .flatMap((source) =>
      source.text.endsWith('/') ? [pathOf(target, call.place)] : landing(call, [source], target, true),
    )
  const writes = landing(call, words.slice(0, -1), target, false)
  return { reads: sources, writes, deletes: [...deletes, ...removed], trees }
}

const scp: Teller = (call) => {
  const { reads = [], writes = [], trees = [] } = rsync(call)
  return { reads, writes, trees }
}

const compresses: Teller = (call) => {
  if (has(call, '-c', '--stdout', '-t', '-l')) return { reads: operands(call) }
  return { reads: operands(call), writes: operands(call), deletes: has(call, '-k', '--keep') ? [] : operands(call) }
}

const zip: Teller = (call) => {
  const packed = paths(call, call.options.operands.slice(1))
  return {
    writes: paths(call, call.options.operands.slice(0, 1)),
    reads: packed,
    deletes: has(call, '-m', '--move') ? packed : [],
  }
}
/** `7z a archive files`, with `-sdel` the files are gone. */
const sevenZip: Teller = (call) => {
  const [verb, archive, ...files] = call.options.operands
  if (verb === undefined || archive === undefined || !/^[au]$/.test(verb.text)) return { reads: operands(call) }
  const packed = paths(call, files)
  return { writes: paths(call, [archive]), reads: packed, deletes: has(call, '-sdel') ? packed : [] }
}
/** `gio trash files`. */
const gio: Teller = (call) =>
  /^(?:trash|remove)$/.test(call.options.operands[0]?.text ?? '')
    ? { deletes: paths(call, call.options.operands.slice(1)) }
    : {}
const unzip: Teller = (call) => ({
  reads: paths(call, call.options.operands.slice(0, 1)),
  writes: has(call, '-l', '-p', '-t') ? [] : [null],
})

const patch: Teller = (call) => {
  const [file] = call.options.operands
  const [directory] = given(call, '-d', '--directory')
  const place = directory === undefined ? call.place : { ...call.place, directory: pathOf(directory, call.place) }
  return {
    reads: paths(call, given(call, '-i', '--input')),
    writes: file === undefined || place.directory === null ? [null] : [pathOf(file, place)],
  }
}

const find: Teller = (call) => {
  const { tests } = findParts(call.args)
  const printed = tests.flatMap((each, index) =>
    each.text.startsWith('-fprint') ? tests.slice(index + 1, index + 2) : [],
  )
  const isDeleting = tests.some(
    ({ text }, at) =>
      text === '-delete' ||
      (/^(?:rm|unlink|shred)$/.test(baseName(text)) &&
        /^-(?:exec|execdir|ok|okdir)$|^sudo$/.test(tests[at - 1]?.text ?? '')),
  )
  return { writes: paths(call, printed), deletes: isDeleting ? paths(call, foundBy(call.args)) : [] }
}

/** Which files a change of branch touches only git knows. */
const ANY_FILE: Partial<Effects> = { writes: [null] }
const gaveUp = ({ place }: Call): Partial<Effects> => ({ writes: [null], resets: [place.directory] })
const GIT: Readonly<Record<string, Teller>> = {
  checkout: (call) => {
    if (afterDashes(call).length === 0 && has(call, '-f', '--force')) return gaveUp(call)
    return has(call, '-b', '-B', '--orphan') ? {} : checkedOut(call)
  },
  restore: (call) =>
    has(call, '--staged', '-S') && !has(call, '--worktree', '-W')
      ? {}
      : broughtBack(call, call.options.operands, has(call, '-s', '--source')),
  rm: (call) => (has(call, '--cached') ? {} : { deletes: operands(call) }),
  mv: moves,
  clean: (call) =>
    has(call, '-n', '--dry-run')
      ? {}
      : call.options.operands.length > 0
        ? { deletes: operands(call) }
        : { deletes: [null], resets: [call.place.directory] },
  apply: (call) => (has(call, '--check', '--stat') ? {} : { reads: operands(call), writes: [null] }),
  am: () => ANY_FILE,
  'checkout-index': () => ANY_FILE,
  'sparse-checkout': () => ANY_FILE,
  'read-tree': (call) => (has(call, '-u') ? ANY_FILE : {}),
  submodule: (call) => (call.args.some(({ text }) => text === 'update') ? ANY_FILE : {}),
  switch: (call) => {
    if (has(call, '-f', '--force', '--discard-changes')) return gaveUp(call)
    return has(call, '-c', '-C', '--create') ? {} : ANY_FILE
  },
  pull: () => ANY_FILE,
  merge: () => ANY_FILE,
  rebase: () => ANY_FILE,
  revert: () => ANY_FILE,
  'cherry-pick': () => ANY_FILE,
  reset: (call) => ({
    ...(has(call, '--hard', '--merge', '--keep') ? gaveUp(call) : {}),
    ...movedRefs(call, [field('HEAD')]),
  }),
  stash: stashed,
  worktree: (call) => (call.options.subcommand === 'worktree remove' ? { deletes: operands(call) } : {}),
  'update-ref': (call) => movedRefs(call, call.options.operands.slice(0, 1)),
  'symbolic-ref': (call) =>
    call.options.operands.length > 1 ? movedRefs(call, call.options.operands.slice(0, 1)) : {},
  branch: (call) => (has(call, '-f', '-D', '-M', '--force') ? movedRefs(call, call.options.operands.slice(0, 1)) : {}),
  fetch: (call) =>
    movedRefs(
      call,
      call.options.operands.filter(
        ({ text }) =>
          /^[^:]+:(?!refs\/remotes\/)/.test(text) &&
          !/^\w+:\/\//.test(text) &&
          (text.startsWith('+') || has(call, '-f', '--force')),
      ),
    ),
  clone: (call) => ({ writes: paths(call, call.options.operands.slice(1, 2)) }),
}

/** Branches of a repository that is no work tree are somebody's to push to. */
function movedRefs(call: Call, words: readonly Field[]): Partial<Effects> {
  const [own] = given(call, '--git-dir')
  const directory = own === undefined ? (call.place.gitDirectory ?? call.place.directory) : pathOf(own, call.place)
  if (directory === null || !/[^/]\.git$/.test(directory)) return {}
  return { writes: words.map(({ text }) => `${directory}/refs/heads/${baseName(text.replace(/^.*:/, ''))}`) }
}

/** Files in any case. A `--` with nothing behind it says that there are none. */
function afterDashes({ args }: Call): readonly Field[] {
  const dashes = args.findIndex(({ text }) => text === '--')
  return dashes < 0 ? [] : args.slice(dashes + 1)
}

function stashed(call: Call): Partial<Effects> {
  const { subcommand } = call.options
  if (/stash (?:list|show|drop|clear|create|store)/.test(subcommand)) return {}
  const files = afterDashes(call)
  if (files.length > 0) return broughtBack(call, files, true)
  return /stash (?:pop|apply|branch)/.test(subcommand) ? ANY_FILE : gaveUp(call)
}

function checkedOut(call: Call): Partial<Effects> {
  const files = afterDashes(call)
  if (files.length > 0) {
    const before = call.args.slice(0, -files.length).filter(({ text }) => !text.startsWith('-'))
    return broughtBack(call, files, before.length > 1)
  }
  const { operands: words } = call.options
  if (words.some(({ text }) => text === '.')) return broughtBack(call, words, words.length > 1)
  // A word may be a branch or a file: git itself refuses what is both.
  return { ...ANY_FILE, trees: paths(call, words) }
}

/** To give up all that is not committed is everyday work; to bring all back from elsewhere is not. */
function broughtBack(call: Call, words: readonly Field[], isFromElsewhere: boolean): Partial<Effects> {
  const trees = words.filter(({ text }) => isFromElsewhere || text !== '.')
  return { writes: paths(call, words), trees: paths(call, trees) }
}

const git: Teller = (call) => {
  const [verb = ''] = call.options.subcommand.split(' ')
  const moved = given(call, '-C').reduce<Place>((place, to) => ({ ...place, directory: pathOf(to, place) }), call.place)
  return Object.hasOwn(GIT, verb) ? (GIT[verb]?.({ ...call, place: moved }) ?? {}) : {}
}

const formats =
  (...flags: readonly string[]): Teller =>
  (call) =>
    has(call, ...flags) ? { reads: operands(call), writes: operands(call) } : { reads: operands(call) }

/** Their first word says what is done; without a place it is done here. */
const formatsAfterVerb =
  (...flags: readonly string[]): Teller =>
  (call) => {
    const [verb, ...words] = call.options.operands
    const isWriting =
      has(call, ...flags) || (call.program === 'ruff' && verb?.text === 'format' && !has(call, '--check'))
    if (!isWriting || verb === undefined) return { reads: paths(call, words) }
    return { writes: words.length === 0 ? [call.place.directory] : paths(call, words) }
  }

const TELLERS = new Map<string, Teller>([
  ['sed', sed],
  ['gsed', sed],
  ['perl', perl],
  ['ruby', ruby],
  ['dd', dd],
  ['curl', curl],
  ['wget', wget],
  ['tar', tar],
  ['gtar', tar],
  ['bsdtar', tar],
  ['rsync', rsync],
  ['scp', scp],
  ['zip', zip],
  ['7z', sevenZip],
  ['7za', sevenZip],
  ['gio', gio],
  ['unzip', unzip],
  ['patch', patch],
  ['find', find],
  ['git', git],
  ['ln', links],
  ['mv', moves],
  ['cp', copies],
  ['install', copies],
  [
    'mount',
    (call) => ({
      writes: paths(call, call.options.operands.slice(-1)),
      trees: paths(call, call.options.operands.slice(-1)),
    }),
  ],
  ['sort', (call) => ({ reads: operands(call), writes: paths(call, given(call, '-o', '--output')) })],
  ['jq', (call) => ({ reads: paths(call, below(call.options.operands, has(call, '-f', '--from-file') ? 0 : 1)) })],
  ['shred', (call) => ({ writes: operands(call), deletes: has(call, '-u', '--remove') ? operands(call) : [] })],
  ['gofmt', formats('-w')],
  ['goimports', formats('-w')],
  ['prettier', formats('--write', '-w')],
  ['eslint', formats('--fix')],
  ['biome', formatsAfterVerb('--write', '--fix', '--apply')],
  ['ruff', formatsAfterVerb('--fix')],
  [
    'yq',
    (call) => ({
      reads: paths(call, below(call.options.operands, 1)),
      writes: has(call, '-i') ? paths(call, below(call.options.operands, 1)) : [],
    }),
  ],
])

const add = (names: string, teller: Teller): void => {
  for (const name of names.split(' ')) TELLERS.set(name, teller)
}
add(
  'cat tac head tail less more most bat batcat nl wc uniq cut paste md5sum sha1sum sha256sum sha512sum shasum cksum sum base64 base32 xxd od hexdump strings diff cmp comm column fold fmt rev view source . zcat bzcat xzcat zless ssh-add csvlook pr expand',
  readsAll,
)
add('rm unlink rmdir trash trash-put rimraf del-cli srm wipe', deletesAll)
add(
  'truncate touch tee sponge dos2unix unix2dos vim vi nvim ex ed nano emacs black isort rustfmt mkfs wipefs mkswap fdisk sfdisk gdisk sgdisk parted blkdiscard',
  writesAll,
)
add('chmod chown chgrp setfacl chattr rename prename', writesAfter(1))
add('grep egrep fgrep zgrep rg ag ack', searches('-e', '-f', '--regexp', '--file'))
add('awk gawk mawk nawk', awk)
add('gzip gunzip bzip2 bunzip2 xz unxz zstd', compresses)

/** The files that a program with these words touches, besides its redirections. */
export function effectsOf(program: string, options: Options, args: readonly Field[], place: Place): Effects {
  const call = { program, options, args, place }
  const teller = TELLERS.get(program) ?? (program.startsWith('mkfs.') ? writesAll : interpreted)
  return { ...NO_EFFECTS, ...teller(call) }
}

/** A script that an interpreter is given is read. */
const interpreted: Teller = (call) => {
  const language = languageOf(call.program)
  const [script] = call.options.operands
  const isFile =
    language !== null &&
    script !== undefined &&
    !call.args.some(({ text }) => /^(?:-[A-Za-z]*c|-e|-p|-m|-r|--eval|--print)$/.test(text))
  return isFile ? { reads: paths(call, [script]) } : {}
}
