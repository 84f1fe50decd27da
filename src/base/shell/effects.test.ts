import { describe, expect, it } from 'vitest'
import { readShell } from './read.ts'

type Told = Partial<Record<'reads' | 'writes' | 'deletes', (string | null)[]>>

/** All files that a line touches. */
const touched = (line: string): Told => {
  const { runs } = readShell(line, { cwd: '/w/app', home: '/home/ada' })
  const all = (kind: keyof Told): (string | null)[] => runs.flatMap((run) => run[kind])
  const told: Told = {}
  for (const kind of ['reads', 'writes', 'deletes'] as const) if (all(kind).length > 0) told[kind] = all(kind)
  return told
}

const app = (...names: string[]): string[] => names.map((name) => `/w/app/${name}`)

describe('files that a line touches', () => {
  it.each<[string, Told]>([
    ['ls -la', {}],
    ['a > x 2> y >> z &> u', { writes: app('x', 'y', 'z', 'u') }],
    ['a < x > /dev/null 2>&1', { reads: app('x') }],
    ['> x', { writes: app('x') }],
    ['{ a; b; } > x', { writes: app('x', 'x') }],
    [
      'cd src && cat a ../b ~/c "$HOME/d" /e',
      { reads: ['/w/app/src/a', '/w/app/src/../b', '/home/ada/c', '/home/ada/d', '/e'] },
    ],
    ['cat ./a .//b/./c/ x/../y .', { reads: ['/w/app/a', '/w/app/b/c', '/w/app/x/../y', '/w/app'] }],
    ['(cd /x; touch a); touch b', { writes: ['/x/a', '/w/app/b'] }],
    ['cd "$X" && touch a', { writes: ['a'] }],
    ['if a; then cd x; touch b; fi; touch c', { writes: ['/w/app/x/b', 'c'] }],
    ['cd x || exit 1; touch a', { writes: ['/w/app/x/a'] }],
    ['a || cd x; touch a', { writes: ['a'] }],
    ['rm -rf a "$X" b/*.o', { deletes: ['/w/app/a', null, '/w/app/b/*.o'] }],
    ['cp a b.txt', { reads: app('a'), writes: app('b.txt') }],
    ['cp a b c/', { reads: app('a', 'b'), writes: app('c/a', 'c/b') }],
    ['cp -t c a', { reads: app('a'), writes: app('c/a') }],
    ['cp a .c', { reads: app('a'), writes: app('.c', '.c/a') }],
    ['yq --inplace . a.yaml', { reads: app('a.yaml'), writes: app('a.yaml') }],
    ['cp a c', { reads: app('a'), writes: app('c', 'c/a') }],
    ["sed -n '1w x' a", { reads: app('a'), writes: app('x') }],
    ["sed -e 'w/x' -e '/a\\/b/,$ s,/,w,gw y z' a", { reads: app('a'), writes: ['/x', '/w/app/y z'] }],
    ["sed 's/w x/w y/; y/w/x/; /w z/d; a w q' a", { reads: app('a') }],
    ["sed '/a/{n; r x\nW ~/y\n}' a", { reads: app('a', 'x'), writes: ['/home/ada/y'] }],
    ['sed "1w $X" a', { reads: app('a'), writes: [null] }],
    ['sed s/x', {}],
    [String.raw`sed '${String.raw`\z`.repeat(20_000)}'`, {}],
    ['chmod -w a b; chmod -R go-w c', { writes: app('a', 'b', 'c') }],
    ['gh release download v1 -O a.zip; gh run download --dir=b', { writes: app('a.zip', 'b') }],
    ['uniq -c a b', { reads: app('a'), writes: app('b') }],
    ['tree -a -o x src; less -ox a', { reads: app('a'), writes: app('x', 'x') }],
    ['less --log-file=x a', { reads: app('a'), writes: app('x') }],
    ['mv a b.txt', { writes: app('a', 'b.txt'), deletes: app('a') }],
    ['ln -s ../a b.txt', { writes: app('b.txt') }],
    ['install -m 644 a b.txt', { reads: app('a'), writes: app('b.txt') }],
    ['tee -a x y < z', { reads: app('z'), writes: app('x', 'y') }],
    ["sed 's/a/b/' x", { reads: app('x') }],
    ["sed -i.bak -e 's/a/b/' x y", { reads: app('x', 'y'), writes: app('x', 'y') }],
    ["perl -pi -e 's/a/b/' x", { reads: app('x'), writes: app('x') }],
    ['dd if=a of=/dev/sda bs=1', { reads: app('a'), writes: ['/dev/sda'] }],
    ['truncate -s 0 x', { writes: app('x') }],
    ['shred -u x', { writes: app('x'), deletes: app('x') }],
    ['chmod -R 700 x y', { writes: app('x', 'y') }],
    ['patch -p1 < x', { reads: app('x'), writes: [null] }],
    ['patch f.c x.diff', { writes: app('f.c') }],
    ['grep -rn a src -e b', { reads: app('a', 'src') }],
    ["grep 'a b' src", { reads: app('src') }],
    ["awk '{ print }' x", { reads: app('x') }],
    ['head -n 5 x', { reads: app('x') }],
    ['sort -o x y', { reads: app('y'), writes: app('x') }],
    ['jq .a x.json', { reads: app('x.json') }],
    ['find . -delete', { deletes: ['/w/app'] }],
    ["find src -name '*.o' -delete", { deletes: app('src/**/*.o') }],
    ['find src -mtime +3 -exec rm {} +', { deletes: app('src/**/*', 'src/**/*') }],
    ['git checkout main', { writes: [null] }],
    ['git checkout main --', { writes: [null] }],
    ['git checkout -b topic', {}],
    ['git checkout HEAD~1 -- a b', { writes: app('a', 'b') }],
    ['git checkout -f -- a', { writes: app('a') }],
    ['git restore a', { writes: app('a') }],
    ['git restore --staged a', {}],
    ['git -C sub rm a', { deletes: app('sub/a') }],
    ['git rm --cached a', {}],
    ['git clean -fd', { deletes: [null] }],
    ['git apply x.patch', { reads: app('x.patch'), writes: [null] }],
    ['git status', {}],
    ['rsync -a --delete a/ b/', { reads: app('a'), writes: app('b/a'), deletes: app('b') }],
    ['rsync -a a host:b', { reads: app('a') }],
    ['tar xzf a.tgz', { reads: app('a.tgz'), writes: [null] }],
    ['tar -czf a.tgz src', { reads: app('src'), writes: app('a.tgz') }],
    ['unzip a.zip', { reads: app('a.zip'), writes: [null] }],
    ['gzip a', { reads: app('a'), writes: app('a'), deletes: app('a') }],
    ['curl -o x -T y https://e/z', { reads: app('y'), writes: app('x') }],
    ['curl -d @body https://e', { reads: app('body') }],
    ['wget https://e/z', { writes: app('z') }],
    ['bash x.sh', { reads: app('x.sh') }],
    ['python3 x.py a', { reads: app('x.py') }],
    [`python3 -c "open('x', 'w').write(open('y').read())"`, { reads: app('y'), writes: app('x') }],
    [`node -e "fs.rmSync('x')"`, { deletes: app('x') }],
    ['prettier --write a.ts', { reads: app('a.ts'), writes: app('a.ts') }],
    ['npx biome check --write src', { writes: app('src') }],
    ['biome check src', { reads: app('src') }],
    ['ruff format', { writes: ['/w/app'] }],
    ['ruff check --fix a.py', { writes: app('a.py') }],
    ["ruby -i -pe 'x' a.rb", { reads: app('a.rb'), writes: app('a.rb') }],
    ['ruby -rminitest a.rb', { reads: app('a.rb') }],
    ['patch -d src a.ts x.patch', { writes: app('src/a.ts') }],
    ["gawk -i inplace '{ print }' a", { reads: app('a'), writes: app('a') }],
    ['git read-tree -m -u HEAD', { writes: [null] }],
    ['git submodule update --init', { writes: [null] }],
    ['env -C sub touch a', { writes: app('sub/a') }],
  ])('%j', (line, told) => {
    expect(touched(line)).toEqual(told)
  })

  it('are as written where nobody knows the directory', () => {
    const { runs } = readShell('rm a ~/b /c', { cwd: null, home: null })
    expect(runs[0]?.deletes).toEqual(['a', '~/b', '/c'])
  })
})
