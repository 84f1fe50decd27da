/** What somebody could send who means harm, each with a name. */
import { gzipSync } from 'node:zlib'
import {
  bundle,
  container,
  type Entry,
  files,
  framed,
  headLine,
  listed,
  readme,
  said,
  soundEntries,
  soundTree,
  talk,
  turn,
  withEntry,
  withTree,
} from './forged-bundle.ts'
import { blob, type ForgedObject, idOf, packOf, tree } from './forged-pack.ts'

const transcript = 'conversation/transcript.jsonl'
const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
const sound = bundle()
const manifestEntry: Entry = ['manifest.json', JSON.stringify({ entries: listed(soundEntries), ...said() })]
const inside = Buffer.concat([manifestEntry, ...soundEntries].map((entry) => framed(entry)))

const withTalk = (content: string): Buffer => bundle(said(), [[transcript, content], ...soundEntries.slice(1)])
const withFiles = (more: Record<string, unknown>): Buffer =>
  bundle(said({ turns: [turn({ files: files(soundTree, more) })] }))
const withPack = (pack: Buffer): Buffer =>
  bundle(said(), [
    [transcript, talk],
    ['snapshots.pack', pack],
  ])
const named = (name: string): Buffer => bundle(said(), [...soundEntries, [name, 'x']])
const link = (target: string, name = 'link'): Buffer => withEntry('120000', name, blob(target))

const containers: Record<string, Buffer> = {
  'an empty file': Buffer.alloc(0),
  'no bundle at all': Buffer.from('hello, this is a text\n'),
  'a tar': Buffer.concat([Buffer.from('manifest.json'), Buffer.alloc(1024)]),
  'a newer format': Buffer.concat([Buffer.from('rein-bundle 2\n'), sound.subarray(headLine.length)]),
  'a format with a zero before it': Buffer.concat([Buffer.from('rein-bundle 01\n'), sound.subarray(headLine.length)]),
  'format 0': Buffer.concat([Buffer.from('rein-bundle 0\n'), sound.subarray(headLine.length)]),
  'something behind its end': Buffer.concat([sound, Buffer.from('more')]),
  'another stream behind its end': Buffer.concat([sound, gzipSync(framed(['snapshots.pack', 'x']))]),
  'no gzip': Buffer.concat([Buffer.from(headLine), Buffer.from('plain bytes')]),
  'gzip with a wrong sum': Buffer.concat([sound.subarray(0, -8), Buffer.alloc(4, 7), sound.subarray(-4)]),
  'no entry': container(),
  'no manifest': container(...soundEntries.map((entry) => framed(entry))),
  'the manifest last': container(...[...soundEntries, manifestEntry].map((entry) => framed(entry))),
  'two manifests': container(inside, framed(manifestEntry)),
  'an entry twice': container(inside, framed([transcript, talk])),
  'an entry that the manifest does not know': container(inside, framed(['conversation/tool-results/a', 'x'])),
  'a name outside that its manifest does not tell of': container(inside, framed(['../outside', 'x'])),
  'an entry less': container(framed(manifestEntry), framed(soundEntries[0] as Entry)),
  'entries in another order': container(...[manifestEntry, ...soundEntries.toReversed()].map((entry) => framed(entry))),
  'an entry of 2^63 bytes': container(framed(manifestEntry), framed([transcript, talk], 2n ** 63n)),
  'an entry that is longer than it says': container(framed(manifestEntry), framed([transcript, talk], 3n)),
  'a name of 65,535 bytes': container(framed(manifestEntry), framed(['a'.repeat(65_535), 'x'])),
  'a bomb': bundle(said(), [...soundEntries, ['conversation/tool-results/zeros', Buffer.alloc(40 * 2 ** 20)]]),
  '6,000 entries': bundle(
    said(),
    Array.from({ length: 6000 }, (_, at) => [`conversation/tool-results/${at}`, '']),
  ),
  'another content than its hash': container(
    framed(manifestEntry),
    framed([transcript, talk.replace('hello', 'HELLO')]),
    framed(soundEntries[1] as Entry),
  ),
}

const names: Record<string, Buffer> = Object.fromEntries(
  [
    '../outside',
    '/etc/cron.d/x',
    'conversation/../../x',
    'conversation/tool-results/..',
    'conversation/tool-results/a/b',
    'conversation/tool-results/.bashrc',
    'conversation/tool-results/a\0b',
    'conversation/tool-results/a\nb',
    'conversation/subagents/agent-../../x.jsonl',
    'conversation/subagents/evil.jsonl',
    'conversation\\transcript.jsonl',
    'CONVERSATION/transcript.jsonl',
    '.git/config',
    '.git/hooks/post-checkout',
    'snapshots.pack.keep',
    'manifest.json ',
    '',
  ].map((name) => [`an entry called ${JSON.stringify(name)}`, named(name)]),
)

/** At every boundary of the container, and inside of each part. */
const cuts = (): Record<string, Buffer> => {
  const found: Record<string, Buffer> = {}
  let at = 0
  for (const entry of [manifestEntry, ...soundEntries]) {
    const { length } = framed(entry)
    const head = length - Buffer.from(entry[1]).length
    for (const [what, offset] of Object.entries({
      'before it': 0,
      'in the length of its name': 1,
      'in its name': 5,
      'in its size': head - 3,
      'before its bytes': head,
      'in its bytes': head + 4,
    }))
      if (at + offset > 0) found[`cut off at ${entry[0]}, ${what}`] = container(inside.subarray(0, at + offset))
    at += length
  }
  for (const share of [0.2, 0.5, 0.9, 0.99])
    found[`a file that ends at ${share}`] = sound.subarray(0, Math.floor(sound.length * share))
  found['a file without its last byte'] = sound.subarray(0, -1)
  found['a file of its first line'] = Buffer.from(headLine)
  return found
}

const manifests: Record<string, Buffer> = {
  'a manifest that is no JSON': container(framed(['manifest.json', '{"format":1'])),
  'a manifest that is a list': container(framed(['manifest.json', '[]'])),
  'a manifest that is nested deeply': container(framed(['manifest.json', deep])),
  'a manifest with a field too much': bundle(said({ run: 'rm -rf /' })),
  'a manifest with __proto__': container(framed(['manifest.json', `{"__proto__":{"x":1},"format":1}`])),
  'a manifest of another format': bundle(said({ format: 2 })),
  'no turn': bundle(said({ turns: [] })),
  '6,000 turns': bundle(said({ turns: Array.from({ length: 6000 }, () => turn()) })),
  'a turn with a strange name': bundle(said({ turns: [turn({ label: '1;rm' })] })),
  'a driver that nobody knows': bundle(said({ driver: 'evil' })),
  'a driver that is a path': bundle(said({ driver: '../evil' })),
  'a handle that is a flag': bundle(said({ agent: '--help' })),
  'a session that is a path': bundle(said({ session: '../../x' })),
  'a directory outside': bundle(said({ at: '../..' })),
  'an absolute directory': bundle(said({ at: '/etc' })),
  'a base that is a flag': bundle(said({ base: '--upload-pack=evil' })),
  'a base that nobody has': bundle(
    said({ base: 'a'.repeat(40), repository: { remote: 'ext::evil', root: 'b'.repeat(40) } }),
  ),
  'a tree that is no id': withFiles({ tree: 'HEAD' }),
  'a tree that is not there': withFiles({ tree: 'c'.repeat(40) }),
  'a tree that is a file': withFiles({ tree: idOf(readme) }),
  'an empty directory outside': withFiles({ emptyDirs: ['../out'] }),
  'an absolute empty directory': withFiles({ emptyDirs: ['/tmp/out'] }),
  'an empty .git': withFiles({ emptyDirs: ['.git/hooks'] }),
  'permissions of a file outside': withFiles({ modes: [['../../home/.ssh', 0o777]] }),
  'permissions with setuid': withFiles({ modes: [['readme.md', 0o4755]] }),
  'files without a pack': bundle(said(), [[transcript, talk]]),
}

const talks: Record<string, Buffer> = {
  'a line that is no JSON': withTalk(`${talk}{"type":\n`),
  'a line after the last end that is no object': withTalk(`${talk}7`),
  'more than a million lines': withTalk('\n'.repeat(1_000_001)),
  'a line that is nested deeply': withTalk(`${talk}${deep}\n`),
  'a line with a deep field': withTalk(`{"type":"user","x":${deep}}\n`),
  'a line that is a list': withTalk('[1]\n'),
  'a line that is a number': withTalk('7\n'),
}

const bare: ForgedObject = {
  kind: 'commit',
  data: Buffer.from(`tree ${idOf(soundTree)}\nauthor a <a@b> 1 +0000\ncommitter a <a@b> 1 +0000\n\nx\n`),
}
const soundPack = packOf(readme, soundTree)

/** A tree of trees: ten ways in each of twelve levels. */
const branching = (): ForgedObject[] => {
  const all: ForgedObject[] = [readme, tree(['100644', 'a', readme])]
  for (let level = 0; level < 12; level += 1) {
    const last = all.at(-1) as ForgedObject
    all.push(tree(...Array.from('abcdefghij', (name) => ['40000', name, last] as [string, string, ForgedObject])))
  }
  return all
}

const nested = (levels: number): ForgedObject[] => {
  const all: ForgedObject[] = [readme, tree(['100644', 'a', readme])]
  for (let level = 0; level < levels; level += 1) all.push(tree(['40000', 'd', all.at(-1) as ForgedObject]))
  return all
}

const treeOf = (objects: ForgedObject[]): Buffer => withTree(objects.at(-1) as ForgedObject, objects.slice(0, -1))

const packs: Record<string, Buffer> = {
  'a pack that is none': withPack(Buffer.from('not a pack')),
  'an empty pack': withPack(Buffer.alloc(0)),
  'half a pack': withPack(soundPack.subarray(0, 40)),
  'a pack with a wrong sum': withPack(Buffer.concat([soundPack.subarray(0, -1), Buffer.of(1)])),
  'a pack that tells of more objects': withPack(
    Buffer.concat([soundPack.subarray(0, 8), Buffer.of(0, 0, 0, 9), soundPack.subarray(12)]),
  ),
  'an object that is larger than it says': withPack(packOf({ ...readme, says: 2 }, soundTree)),
  'an object that says it has 4 GiB': withPack(packOf({ ...readme, says: 2 ** 32 }, soundTree)),
  'a commit in its pack': withPack(packOf(readme, soundTree, bare)),
  'a tag in its pack': withPack(
    packOf(readme, soundTree, { kind: 'tag', data: Buffer.from(`object ${idOf(bare)}\ntype commit\ntag x\n`) }, bare),
  ),
  'a tree whose files are missing': withTree(soundTree, []),
  'a tree that is not sorted': withTree(tree(['100644', 'b', readme], ['100644', 'a', readme]), [readme]),
  'a tree with a name twice': withTree(tree(['100644', 'a', readme], ['100644', 'a', readme]), [readme]),
  'a tree with a file and a directory of one name': withTree(tree(['100644', 'a', readme], ['40000', 'a', soundTree]), [
    readme,
    soundTree,
  ]),
  'a tree that is cut off': withTree({ kind: 'tree', data: soundTree.data.subarray(0, -3) }, [readme]),
  'a tree of 10^12 files': treeOf(branching()),
  'a tree of 3,000 levels': treeOf(nested(3000)),
}

const fileNames = [
  '.git',
  '.GIT',
  '.Git',
  '.git ',
  '.git.',
  '.git . .',
  'git~1',
  'GIT~2',
  '.g\u200cit',
  '.git\u200d',
  '\ufeff.git',
  '.git::$INDEX_ALLOCATION',
  '.git:x',
  '..',
  '.',
  '',
  'a/b',
  '../x',
  '/etc/x',
  'a\\b',
  '..\\x',
  'x\ny',
  'x\ry',
  '\u0001',
  '\u007f',
  'a'.repeat(300),
]
const inTrees: Record<string, Buffer> = Object.fromEntries([
  ...fileNames.map((name) => [`a file called ${JSON.stringify(name)}`, withEntry('100644', name)]),
  ...fileNames
    .slice(0, 12)
    .map((name) => [
      `a directory called ${JSON.stringify(name)}`,
      withTree(tree(['40000', name, soundTree]), [readme, soundTree]),
    ]),
  [
    'a hook in .git',
    withTree(tree(['40000', '.git', tree(['40000', 'hooks', tree(['100755', 'post-checkout', readme])])]), [
      readme,
      tree(['100755', 'post-checkout', readme]),
      tree(['40000', 'hooks', tree(['100755', 'post-checkout', readme])]),
    ]),
  ],
  ['a submodule', withTree(tree(['160000', 'sub', 'd'.repeat(40)]), [])],
  ['a .gitmodules that is a link', link('readme.md', '.gitmodules')],
  ...['100600', '100777', '104755', '010644', '020644', '060644', '140644', '040000', '0', '777'].map((mode) => [
    `a file of mode ${mode}`,
    withEntry(mode, 'a'),
  ]),
  ...[
    '/etc/passwd',
    '../x',
    '..',
    '../../../home',
    'a/../../x',
    'a/..',
    './../x',
    '.git/config',
    '.GIT/hooks',
    '',
    '\\\\host\\x',
    'a\nb',
  ].map((target) => [`a link to ${JSON.stringify(target)}`, link(target)]),
] as [string, Buffer][])

export const hostileBundles: Record<string, Buffer> = {
  ...containers,
  ...names,
  ...cuts(),
  ...manifests,
  ...talks,
  ...packs,
  ...inTrees,
}

/** Nothing in it is forbidden, but all of it could make something run. */
export const suspiciousFiles: Record<string, ForgedObject> = Object.fromEntries(
  [
    '.claude/settings.json',
    '.codex/config.toml',
    '.envrc',
    '.gitattributes',
    '.github/workflows/ci.yml',
    '.husky/pre-commit',
    '.mcp.json',
    '.vscode/tasks.json',
    'CLAUDE.md',
    'hooks/post-checkout',
    'package.json',
    '.rein/rules/x.yaml',
    'GNUmakefile',
    'docker-compose.yml',
    '.cargo/config.toml',
    '.unheard-of/settings',
  ].map((path) => [path, blob(`evil-${path}\n* filter=evil\n`)]),
)
