import { copies, landing, links, moves } from './copy-effects.ts'
import {
  type Effects,
  given,
  has,
  NO_EFFECTS,
  operands,
  type Path,
  pathOf,
  paths,
  type Place,
  type Teller,
} from './effect-calls.ts'
import { findParts, foundBy } from './find.ts'
import { git } from './git-effects.ts'
import { languageOf } from './interpreters.ts'
import { type Options, readOptions } from './options.ts'
import { baseName } from './programs.ts'
import { type SedFiles, sedFiles } from './sed-script.ts'
import type { Field } from './state.ts'

const below = (fields: readonly Field[], from: number): readonly Field[] => fields.slice(from)
const readsAll: Teller = (call) => ({ reads: operands(call) })
const writesAll: Teller = (call) => ({ writes: operands(call) })
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

const sed: Teller = (call) => {
  const { reads: files = [] } = searches('-e', '-f', '--expression', '--file')(call)
  const isInPlace = call.args.some(({ text }) => /^(?:-[nEresz]*i|--in-place)/.test(text))
  const scripts = has(call, '-e', '-f', '--expression', '--file')
    ? given(call, '-e', '--expression')
    : call.options.operands.slice(0, 1)
  const named = (kind: keyof SedFiles): readonly Path[] =>
    scripts.flatMap((script) =>
      paths(
        call,
        sedFiles(script.text)[kind].map((text) => ({ ...script, text, isPattern: false })),
      ),
    )
  return { reads: [...files, ...named('reads')], writes: [...(isInPlace ? files : []), ...named('writes')] }
}

/** They look, and write what they show into the file behind such a flag: `tree -o F`, `less --log-file=F`. */
const looksInto =
  (flag: RegExp, told: Teller): Teller =>
  (call) => {
    const files = call.args.flatMap((arg, at) => {
      const [whole, joined = ''] = flag.exec(arg.text) ?? []
      if (whole === undefined) return []
      return joined === '' ? call.args.slice(at + 1, at + 2) : [{ ...arg, text: joined }]
    })
    return { ...told(call), writes: paths(call, files) }
  }

const downloads = looksInto(/^(?:-[DO]|--(?:dir|output)(?:=|$))(.*)$/, () => ({}))

const perl: Teller = (call) => {
  const isInPlace = call.args.some(({ text }) => /^-[A-Za-z0-9]*i/.test(text) && !/^-[IMm]/.test(text))
  const code = call.args.findIndex(({ text }) => /^-[A-Za-z0-9.]*[eE]$/.test(text))
  const files = code < 0 ? call.options.operands : call.options.operands.filter((each) => each !== call.args[code + 1])
  return isInPlace ? { reads: paths(call, files), writes: paths(call, files) } : { reads: paths(call, files) }
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

/** `7z a archive files`, with `-sdel` the files are gone. */
const sevenZip: Teller = (call) => {
  const [verb, archive, ...files] = call.options.operands
  if (verb === undefined || archive === undefined || !/^[au]$/.test(verb.text)) return { reads: operands(call) }
  const packed = paths(call, files)
  return { writes: paths(call, [archive]), reads: packed, deletes: has(call, '-sdel') ? packed : [] }
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

const TELLERS = new Map(
  Object.entries<Teller>({
    sed,
    gsed: sed,
    perl,
    ruby: (call) => (call.args.some(({ text }) => /^-[lnpae0]*i/.test(text)) ? perl(call) : interpreted(call)),
    dd: (call) => {
      const of = (key: string): readonly Path[] =>
        paths(
          call,
          call.args
            .filter(({ text }) => text.startsWith(key))
            .map((arg) => ({ ...arg, text: arg.text.slice(key.length) })),
        )
      return { reads: of('if='), writes: of('of=') }
    },
    curl: (call) => {
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
    },
    wget: (call) => {
      const to = given(call, '-O', '--output-document')
      const [directory] = given(call, '-P', '--directory-prefix')
      if (to.length > 0) return { writes: paths(call, to) }
      return {
        writes: call.options.operands.flatMap((each) =>
          landing(call, [each], directory ?? { ...each, text: '.' }, true),
        ),
      }
    },
    tar,
    gtar: tar,
    bsdtar: tar,
    rsync,
    scp: (call) => {
      const { reads = [], writes = [], trees = [] } = rsync(call)
      return { reads, writes, trees }
    },
    zip: (call) => {
      const packed = paths(call, call.options.operands.slice(1))
      return {
        writes: paths(call, call.options.operands.slice(0, 1)),
        reads: packed,
        deletes: has(call, '-m', '--move') ? packed : [],
      }
    },
    '7z': sevenZip,
    '7za': sevenZip,

    /** `gio trash files`. */
    gio: (call) =>
      /^(?:trash|remove)$/.test(call.options.operands[0]?.text ?? '')
        ? { deletes: paths(call, call.options.operands.slice(1)) }
        : {},
    unzip: (call) => ({
      reads: paths(call, call.options.operands.slice(0, 1)),
      writes: has(call, '-l', '-p', '-t') ? [] : [null],
    }),
    patch: (call) => {
      const [file] = call.options.operands
      const [directory] = given(call, '-d', '--directory')
      const place = directory === undefined ? call.place : { ...call.place, directory: pathOf(directory, call.place) }
      return {
        reads: paths(call, given(call, '-i', '--input')),
        writes: file === undefined || place.directory === null ? [null] : [pathOf(file, place)],
      }
    },
    find: (call) => {
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
    },
    git,
    ln: links,
    mv: moves,
    cp: copies,
    install: copies,
    mount: (call) => ({
      writes: paths(call, call.options.operands.slice(-1)),
      trees: paths(call, call.options.operands.slice(-1)),
    }),
    sort: (call) => ({ reads: operands(call), writes: paths(call, given(call, '-o', '--output')) }),
    jq: (call) => ({ reads: paths(call, below(call.options.operands, has(call, '-f', '--from-file') ? 0 : 1)) }),
    uniq: (call) => ({
      reads: paths(call, call.options.operands.slice(0, 1)),
      writes: paths(call, call.options.operands.slice(1, 2)),
    }),
    less: looksInto(/^(?:-[oO]|--(?:log-file|LOG-FILE)(?:=|$))(.*)$/, readsAll),
    gh: (call) => (call.args.some(({ text }) => text === 'download') ? downloads(call) : {}),
    tree: looksInto(/^-o()$/, () => ({})),
    shred: (call) => ({ writes: operands(call), deletes: has(call, '-u', '--remove') ? operands(call) : [] }),
    gofmt: formats('-w'),
    goimports: formats('-w'),
    prettier: formats('--write', '-w'),
    eslint: formats('--fix'),
    biome: formatsAfterVerb('--write', '--fix', '--apply'),
    ruff: formatsAfterVerb('--fix'),
    yq: (call) => ({
      reads: paths(call, below(call.options.operands, 1)),
      writes: has(call, '-i', '--inplace') ? paths(call, below(call.options.operands, 1)) : [],
    }),
  }),
)

const add = (names: string, teller: Teller): void => {
  for (const name of names.split(' ')) TELLERS.set(name, teller)
}
add(
  'cat tac head tail more most bat batcat nl wc cut paste md5sum sha1sum sha256sum sha512sum shasum cksum sum base64 base32 xxd od hexdump strings diff cmp comm column fold fmt rev view source . zcat bzcat xzcat zless ssh-add csvlook pr expand',
  readsAll,
)
add('rm unlink rmdir trash trash-put rimraf del-cli srm wipe', (call) => ({ deletes: operands(call) }))
add(
  'truncate touch tee sponge dos2unix unix2dos vim vi nvim ex ed nano emacs black isort rustfmt mkfs wipefs mkswap fdisk sfdisk gdisk sgdisk parted blkdiscard',
  writesAll,
)
// Of `chmod -w file` the flag is the mode.
TELLERS.set('chmod', (call) => writesAfter(call.args.some(({ text }) => /^-[rwxXst]+$/.test(text)) ? 0 : 1)(call))
add('chown chgrp setfacl chattr rename prename', writesAfter(1))
add('grep egrep fgrep zgrep rg ag ack', searches('-e', '-f', '--regexp', '--file'))
add('awk gawk mawk nawk', (call) => {
  const { reads = [] } = searches('-f', '--file')(call)
  const isInPlace = given(call, '-i', '--include').some(({ text }) => text === 'inplace')
  return isInPlace ? { reads, writes: reads } : { reads }
})
add('gzip gunzip bzip2 bunzip2 xz unxz zstd', (call) => {
  if (has(call, '-c', '--stdout', '-t', '-l')) return { reads: operands(call) }
  return { reads: operands(call), writes: operands(call), deletes: has(call, '-k', '--keep') ? [] : operands(call) }
})

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
