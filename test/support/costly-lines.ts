import { seeded } from './seeded.ts'

const longestLine = 65_536

/** Shapes that cost more than they are long; each grows with `n`, about as many bytes as it says. */
const shapes: Readonly<Record<string, (n: number) => string>> = {
  'an array doubled': (n) => `a=(x);${'a+=("${a[@]}");'.repeat(n / 15)}git push "\${a[@]}"`,
  'arrays of arrays': (n) => `a=(x y);${'b=("${a[@]}" "${a[@]}");a=("${b[@]}");'.repeat(n / 40)}rm "\${a[@]}"`,
  'a variable doubled': (n) => `a=xy;${'a="$a$a";'.repeat(n / 9)}git push $a`,
  'values of values': (n) => `for a in 1 2 3 4; do ${'b="$b$a$b";'.repeat(n / 11)} rm $b$b$b; done`,
  'braces in braces': (n) => `rm ${'{a,b}'.repeat(n / 5)}`,
  'braces within braces': (n) => `rm {x,${'{a,b}'.repeat(n / 5)}}`,
  'a deep brace': (n) => `rm ${'{a,'.repeat(45)}${'x'.repeat(n)}${'}'.repeat(45)}`,
  'braces that never end': (n) => `rm ${'{a,]'.repeat(n / 4)}`,
  ranges: (n) => `touch ${'{1..999999}'.repeat(n / 11)}`,
  'many globs': (n) => `mv ${'a/* '.repeat(n / 4)} .git`,
  'deep globs': (n) => `rm -rf ${'*/'.repeat(n / 2)}`,
  'stars in a row': (n) => `rm -rf ${'*a'.repeat(n / 2)}b`,
  'many operands': (n) => `rm -rf ${'a '.repeat(n / 2)}`,
  'many paths': (n) => `rm -rf ${Array.from({ length: n / 12 }, (_, at) => `/p/../p/a${at}`).join(' ')}`,
  'many redirections': (n) => `{ a; b; c; d; e; } ${'>a '.repeat(n / 3)}`,
  'copies of what was written': (n) => `x ${'>a '.repeat(n / 6)}; cp ${'a '.repeat(n / 4)} d`,
  'a pipeline': (n) => `a${' | a'.repeat(n / 4)}`,
  'commands joined': (n) => `a${' && a'.repeat(n / 5)}${' || a'.repeat(n / 5)}`,
  'functions that double': (n) =>
    `f0() { rm a; };${Array.from({ length: n / 24 }, (_, at) => `f${at + 1}() { f${at}; f${at}; }`).join(';')};f${Math.floor(n / 24)}`,
  'functions in a row': (n) => `${Array.from({ length: n / 20 }, (_, at) => `f${at}() { f${at + 1}; }`).join(';')};f0`,
  aliases: (n) => `${Array.from({ length: n / 20 }, (_, at) => `alias a${at}='a${at + 1} x'`).join(';')};a0`,
  'substitutions in words': (n) => `rm ${'$(echo a $(echo b)) '.repeat(n / 21)}`,
  'substitutions in depth': (n) => `rm ${'$(echo '.repeat(40)}${'a '.repeat(n / 2)}${')'.repeat(40)}`,
  'code in code': (n) => {
    let line = `git push ${'a'.repeat(n / 64)}`
    for (let depth = 0; depth < 6; depth++) line = `bash -c ${quoted(line)}`
    return line
  },
  encoded: (n) => `echo x${' | base64'.repeat(n / 9)} | sh`,
  printed: (n) => `printf '${'%s'.repeat(n / 3)}' ${'a '.repeat(90)} | sh`,
  translated: (n) => `echo ${'a'.repeat(n / 3)} | tr ${' -~'.repeat(n / 9)} ${' -~'.repeat(n / 9)} | sh`,
  'a file that grows': (n) => `echo a > f; ${'cat f f < f >> f;'.repeat(n / 17)} sh f`,
  'here-documents': (n) => `cat ${'<<a '.repeat(n / 4)}`,
  'here-documents in substitutions': (n) => 'echo $(cat <<a\n$(cat <<b\nx\nb\n)\na\n)\n'.repeat(n / 34),
  'a long here-document': (n) => `sh <<'a'\n${'git push -f\n'.repeat(n / 12)}a\n`,
  'a here-document of expansions': (n) => `b=x; sh <<a\n${'$b${b}$(echo b)'.repeat(n / 15)}\na\n`,
  replaced: (n) => `a=${'x'.repeat(Math.min(n / 2, 4000))};${'b="${a//x/$a}";'.repeat(n / 30)}rm $b`,
  'spread by xargs': (n) => `echo ${'b'.repeat(n / 3)} | xargs -I{} rm ${'{}'.repeat(n / 4)}`,
  'spread by parallel': (n) => `parallel rm ${'{}'.repeat(n / 4)} ::: ${'a '.repeat(16)}${'b'.repeat(n / 3)}`,
  'find that runs much': (n) => `find a b c d e f ${'-exec rm '.repeat(n / 9)}`,
  'git aliases': (n) => `git ${"-c alias.x='!rm a' ".repeat(n / 19)} x`,
  'git settings': (n) => `git ${"-c core.editor='rm a' ".repeat(n / 22)} commit`,
  'git settings before much': (n) => `git ${'-c alias.x=y '.repeat(n / 26)} x ${'a '.repeat(n / 4)}`,
  'git settings by variables': (n) => `a=x git ${'--config-env=alias.x=a '.repeat(n / 46)} x ${'a '.repeat(n / 4)}`,
  'git settings in a variable': (n) => `GIT_CONFIG_PARAMETERS="${"'alias.x=push' ".repeat(n / 15)}" git x`,
  'git aliases of aliases': (n) =>
    `${Array.from({ length: n / 30 }, (_, at) => `git config alias.a${at} 'a${at + 1} x'`).join(';')};git a0 a1 a2`,
  'words that may be commands': (n) => `a ${'"git push" '.repeat(n / 11)}`,
  'commands in one word': (n) => `a '${'find rm git dd x '.repeat(n / 17)}'`,
  'commands in words in commands': (n) => `dd 'find "rm git dd x" find rm';`.repeat(n / 31),
  'recipes written': (n) =>
    `${Array.from({ length: n / 30 }, (_, at) => `echo "rm a" > f${at}`).join(';')};${'make;'.repeat(n / 10)}`,
  'words read into an array': (n) =>
    `${'read -a b <<< "$a";mapfile c <<< "$a";'.repeat(n / 80)}a="${'x '.repeat(n / 4)}"`,
  'sed of separators': (n) => `sed 's${'/'.repeat(n)}'`,
  'sed of blanks': (n) => `a=('${' '.repeat(n)}'); sed ${'"${a[@]}" '.repeat(20)}`,
  'slashes at the end': (n) => `cp ${'/'.repeat(n)}x${'/'.repeat(8)} y; cp a ${'.'.repeat(n / 2)}/x`,
  'blank lines printed': (n) => `rm $(printf '${'\\n'.repeat(n / 2)}x')`,
  'split at much': (n) => `IFS='${'abc'.repeat(n / 9)}'; b=${'x'.repeat(n / 3)}; ${'rm $b;'.repeat(n / 18)}`,
  'positional words': (n) => `set -- ${'a '.repeat(150)}; ${'set -- "$@";rm "$@" "$@";'.repeat(n / 25)}`,
  'python that opens': (n) => `python3 -c '${'open("a" '.repeat(n / 9)}'`,
  'python that links': (n) => `python3 -c '${'os.link(a '.repeat(n / 10)}'`,
  'node that deletes': (n) => `node -e 'rmSync${' '.repeat(n)}+'`,
  'perl that opens': (n) => `perl -e '${'open a '.repeat(n / 7)}'`,
  'awk that prints': (n) => `awk '${'print > " '.repeat(n / 10)}'`,
  assignments: (n) => `${'a=b '.repeat(n / 4)} rm a`,
  'read into many': (n) => `read ${'a b '.repeat(n / 8)} <<< "${'x\n'.repeat(n / 4)}"`,
  'a case of many': (n) => `case x in ${'a|b) rm a;; '.repeat(n / 12)} esac`,
  'an odd number of quotes': (n) => `rm ${`'"`.repeat(n / 2)}`,
  'open substitutions': (n) => `rm ${'$('.repeat(n / 2)}`,
  'open ticks': (n) => '` a '.repeat(n / 4),
  arithmetic: (n) => `rm $((1${'+(1)'.repeat(n / 4)}))`,
  'arithmetic that is none': (n) => '$(( a ) '.repeat(n / 8),
  'extended globs': (n) => `rm ${'@(a|'.repeat(40)}${'*(b)'.repeat(n / 4)}${')'.repeat(40)}`,
  'sets of letters': (n) => `rm -rf ${'[a-z]'.repeat(n / 5)}`,
  'expansions embedded': (n) => `rm ${'a${b}c$d'.repeat(n / 8)}e`,
  indirect: (n) => `a=b;b=a;rm ${'${!a}${a:-${b:-x}}'.repeat(n / 18)}`,
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** The line of 406 bytes that held a daemon for more than two minutes. */
export const worstLine = `a=(x);${'a+=("${a[@]}");'.repeat(25)}git push "\${a[@]}"`

/** Each of the shapes, at about this length. */
export const shapedLines = (length: number): string[] =>
  Object.values(shapes).map((shape) => shape(length).slice(0, longestLine))

type Random = () => number

const pick = <T>(random: Random, list: readonly [T, ...T[]]): T => list[Math.floor(random() * list.length)] ?? list[0]
const times = (random: Random, most: number): number => Math.floor(random() ** 3 * most) + 1
const repeated = (count: number, make: () => string): string => Array.from({ length: count }, make).join('')

/** Lines of a shell at random: nested, expanded, with arrays, globs and here-documents, up to 64 KB. */
class Grammar {
  readonly #random: Random
  #room = 0

  constructor(random: Random) {
    this.#random = random
  }

  line(): string {
    this.#room = 64 + this.#random() ** 8 * longestLine
    let text = this.#shape()
    while (text.length < this.#room && this.#random() < 0.9) text += this.#joint() + this.#command(0)
    return text.slice(0, longestLine)
  }

  #shape(): string {
    const random = this.#random
    if (random() < 0.6) return this.#command(0)
    const shape = pick(random, Object.values(shapes) as [(n: number) => string, ...((n: number) => string)[]])
    return shape(40 + random() ** 6 * 20_000)
  }

  #joint(): string {
    return pick(this.#random, ['; ', ' && ', ' || ', ' | ', '\n', ' & ', ' |& '])
  }

  #command(depth: number): string {
    const random = this.#random
    this.#room -= 8
    if (depth > 12 || this.#room < 0) return 'a'
    const inner = (): string => this.#command(depth + 1)
    const word = (): string => this.#word(depth + 1)
    const words = (): string => repeated(times(random, 24), () => `${word()} `)
    return pick<() => string>(random, [
      () => `${this.#program()} ${words()}`,
      () => `${this.#program()} ${words()}`,
      () => `${this.#name()}=${word()}; ${inner()}`,
      () => `${this.#name()}+=${word()}`,
      () => `${this.#name()}=(${words()})`,
      () => `${this.#name()}+=(${words()})`,
      () => `( ${inner()} )`,
      () => `{ ${inner()}; }`,
      () => `if ${inner()}; then ${inner()}; else ${inner()}; fi`,
      () => `for ${this.#name()} in ${words()}; do ${inner()}; done`,
      () => `while ${inner()}; do ${inner()}; done`,
      () => `case ${word()} in ${word()}) ${inner()};; *) ${inner()};; esac`,
      () => `${this.#name()}() { ${inner()}; ${inner()}; }`,
      () => `bash -c ${quoted(inner())}`,
      () => `eval "${inner().replaceAll(/["\\]/g, '')}"`,
      () => `alias ${this.#name()}=${quoted(inner())}`,
      () => `${inner()} > ${word()} 2>&1 >> ${word()}`,
      () => `sh <<${pick(random, ['E', "'E'", '-E'])}\n${inner()}\n${inner()}\nE\n`,
      () => `${inner()} <<< ${word()}`,
      () => `set -- ${words()}; "$@"`,
      () => `[[ ${word()} == ${word()} ]] && ${inner()}`,
    ])()
  }

  #program(): string {
    return pick(this.#random, [
      'git push',
      'rm -rf',
      'mv',
      'cp -r',
      'echo',
      'printf %s',
      'xargs -I{} rm',
      'find . -exec rm',
      'sudo',
      'env',
      'python3 -c',
      'awk',
      'sed -i',
      'tee',
      'cat',
      'tr a-z',
      'base64',
      'read',
      'export',
      'shift',
      'a',
      'f',
      '$a',
      'parallel',
      'git -c alias.a=push a',
      'docker run x',
      'timeout 5',
    ])
  }

  #name(): string {
    return pick(this.#random, ['a', 'b', 'c', 'd', 'f', 'IFS', 'PATH', 'HOME', 'GIT_EDITOR'])
  }

  #word(depth: number): string {
    const random = this.#random
    this.#room -= 4
    if (depth > 14 || this.#room < 0) return 'x'
    const name = this.#name()
    const inner = (): string => this.#word(depth + 1)
    return pick<() => string>(random, [
      () => 'x'.repeat(times(random, 60)),
      () => `$${name}`,
      () => `"$${name}$${name}"`,
      () => `"\${${name}[@]}"`,
      () => `\${${name}[*]}`,
      () => `"$@"`,
      () => `\${${name}:-${inner()}}`,
      () => `\${${name}//x/${inner()}}`,
      () => `\${!${name}}`,
      () => `$(${this.#command(depth + 1)})`,
      () => `\`echo ${inner().replaceAll('`', '')}\``,
      () => `<(${this.#command(depth + 1)})`,
      () => `{${inner()},${inner()},${inner()}}`,
      () => `{1..${Math.floor(random() * 1e6)}}`,
      () => `${inner()}${inner()}`,
      () => `"${inner().replaceAll(/["\\]/g, '')}"`,
      () => `'${inner().replaceAll("'", '')}'`,
      () => '../'.repeat(times(random, 30)),
      () => '*/'.repeat(times(random, 30)),
      () => `**/[a-z]?(${inner()})*`,
      () => `-${pick(random, ['f', 'rf', '-force', 'c', 'C', 'n1'])}`,
      () => `$((${name}+${Math.floor(random() * 9)}))`,
      () => '\\\n',
    ])()
  }
}

/** `count` lines that come again with the same seed, one at a time. */
export function* randomLines(seed: number, count: number): Generator<string> {
  const grammar = new Grammar(seeded(seed))
  for (let at = 0; at < count; at++) yield grammar.line()
}
