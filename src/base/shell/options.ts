import { isGitVerb } from './guess.ts'
import { isSubcommand } from './programs.ts'
import type { Field } from './state.ts'

/** The words of a program, told apart. */
export interface Options {
  readonly subcommand: string
  readonly flags: readonly string[]
  /** Without the subcommand, and without what belongs to a flag. */
  readonly operands: readonly Field[]
  /** What a flag was given: `-C dir`, `--git-dir=x`. */
  readonly values: ReadonlyMap<string, readonly Field[]>
}

/** Flags that take the next word, by program, or by program and subcommand. */
const WITH_VALUE: Readonly<Record<string, string>> = {
  git: '-C -c --git-dir --work-tree --namespace --exec-path --config-env --super-prefix',
  'git commit': '-m -F -C -c -t --message --file --author --date --template --fixup --squash --trailer --cleanup',
  'git push': '-o --push-option --repo --receive-pack --exec',
  'git clone': '-b -o -u -c --branch --origin --depth --config --upload-pack --reference --template -j --jobs',
  'git fetch': '--upload-pack --depth -j -o --negotiation-tip',
  'git difftool': '-x --extcmd -t --tool',
  'git log': '-n --grep --author --committer --since --until --after --before --format -S -G -L',
  'git tag': '-m -F -u --message --file',
  'git merge': '-m -s -X -F --message',
  'git stash': '-m --message',
  'git checkout': '-b -B --orphan',
  'git switch': '-c -C --create --force-create --orphan',
  'git restore': '-s --source',
  'git worktree': '-b -B',
  'git branch': '-u --set-upstream-to',
  'git clean': '-e --exclude',
  'git grep': '-e -f -A -B -C -m',
  'git rebase': '-x --exec --onto -s -X',
  'git submodule': '-b --branch --name --reference',
  'git archive': '-o --output --prefix --format --remote --exec',
  'git apply': '-p --directory --include --exclude',
  curl: '-o -H -d -X -A -u -b -c -e -F -T -w -m -x -K -E -U -r -C -y -Y -z -Q -P --output --header --data --data-raw --data-binary --data-urlencode --request --user --user-agent --max-time --connect-timeout --retry --proxy --cookie --cookie-jar --form --upload-file --write-out --url --cacert --cert --key --resolve --config --output-dir --retry-delay',
  wget: '-O -o -a -P -e -t -T -U --output-document --directory-prefix --header --user-agent --tries --timeout --post-data --user --password',
  ssh: '-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w',
  scp: '-c -F -i -J -l -o -P -S',
  rsync:
    '-e -f --rsh --exclude --include --filter --files-from --exclude-from --include-from --rsync-path --log-file --bwlimit --chmod --port',
  tar: '-f -C -T -X -I --file --directory --files-from --exclude --exclude-from --use-compress-program',
  unzip: '-d -x -P',
  grep: '-e -f -m -A -B -C -d -D --regexp --file --max-count --include --exclude --exclude-dir',
  rg: '-e -f -g -t -T -A -B -C -m -j -r --regexp --file --glob --type --type-not --context --max-count --replace',
  head: '-n -c --lines --bytes',
  tail: '-n -c --lines --bytes -s --pid',
  sed: '-e -f -l --expression --file',
  awk: '-f -v -F -i --include',
  gawk: '-f -v -F -i --include',
  sort: '-k -t -o -S -T --key --output',
  cut: '-d -f -c -b',
  jq: '-f --from-file --indent --tab',
  cp: '-t -S --target-directory --suffix',
  mv: '-t -S --target-directory --suffix',
  ln: '-t -S --target-directory',
  install: '-m -o -g -t -S --mode --owner --group --target-directory',
  mkdir: '-m --mode',
  touch: '-d -r -t --date --reference',
  truncate: '-s -r --size --reference',
  shred: '-n -s --iterations --size',
  chmod: '--reference',
  chown: '--reference --from',
  patch: '-p -i -o -d -r -D -B -z --strip --input --output --directory',
  kill: '-s --signal',
  pkill: '-s -u -U -g -G -P -t --signal',
  make: '-C -f -I -o -W --directory --file',
  npm: '-C --prefix -w --workspace --registry --tag --otp --loglevel --userconfig',
  pnpm: '-C --dir --filter -F --registry --tag',
  yarn: '--cwd --registry --tag',
  docker: '-H --host --context --config -l --log-level',
  'docker run':
    '-e -v -p -w -u -h -l -m -c -a --env --env-file --volume --mount --publish --workdir --user --name --network --entrypoint --hostname --label --memory --cpus --platform --add-host --device --gpus --restart --ulimit --shm-size --pull --ip --cap-add --cap-drop --security-opt --tmpfs --dns --expose --link --runtime --pid --ipc --stop-signal --cidfile --log-driver --log-opt',
  'docker exec': '-e -u -w --env --env-file --user --workdir --detach-keys',
  kubectl: '-n -c -f -l -o --namespace --container --context --kubeconfig --filename --selector --output',
  gh: '-R --repo',
  tmux: '-t -s -n -c -x -y -F -e -L -S -f',
}
const SAME_AS: Readonly<Record<string, string>> = {
  egrep: 'grep',
  fgrep: 'grep',
  podman: 'docker',
  gmake: 'make',
  gsed: 'sed',
  gtar: 'tar',
  bsdtar: 'tar',
  mawk: 'awk',
  nawk: 'awk',
}
const valueFlags = new Map(Object.entries(WITH_VALUE).map(([name, flags]) => [name, new Set(flags.split(' '))]))

/** Programs whose first word is no subcommand, though memory takes it for one. */
const NO_VERB = /^(?:sudo|python[\d.]*|node|php)$/

/** Programs whose flags are words after one dash: `find -name`, `java -jar`. */
const ONE_DASH = new Set(
  'find java javac go terraform tofu gcc g++ clang clang++ cc openssl ffmpeg convert xcodebuild'.split(' '),
)

/** Long flags that a program also takes when only their beginning is written. */
const LONG: Readonly<Record<string, string>> = {
  'git push':
    '--all --branches --mirror --tags --delete --dry-run --force --force-with-lease --force-if-includes --follow-tags --no-verify --porcelain --prune --progress --quiet --receive-pack --recurse-submodules --repo --set-upstream --signed --atomic --thin --verbose --push-option --no-dry-run',
  'git reset': '--hard --soft --mixed --keep --merge --patch --quiet --pathspec-from-file --recurse-submodules',
  'git clean': '--force --dry-run --quiet --exclude --interactive',
  'git commit':
    '--no-verify --amend --all --message --no-edit --allow-empty --signoff --author --date --fixup --squash --verbose --quiet',
  'git checkout': '--force --ours --theirs --quiet --track --detach --merge --orphan --patch',
  'git branch': '--delete --force --move --copy --list --all --remotes --merged --no-merged --show-current',
  'git rm': '--cached --force --dry-run --quiet --ignore-unmatch',
  rm: '--recursive --force --interactive --one-file-system --no-preserve-root --preserve-root --verbose --dir',
  chmod: '--recursive --reference --verbose --changes --silent --quiet --preserve-root --no-preserve-root',
  chown: '--recursive --reference --verbose --changes --from --no-dereference --preserve-root --no-preserve-root',
}
const longFlags = new Map(Object.entries(LONG).map(([name, flags]) => [name, flags.split(' ')]))

/** Tells the words of a program apart, wherever its flags stand. */
export function readOptions(program: string, args: readonly Field[]): Options {
  const reader = new OptionReader(SAME_AS[program] ?? program)
  for (const arg of args) reader.take(arg)
  return reader
}

class OptionReader implements Options {
  readonly #program: string
  readonly flags: string[] = []
  readonly operands: Field[] = []
  readonly values = new Map<string, Field[]>()
  subcommand = ''
  #places = 0
  /** What stands before it may be the verb. */
  #hasUntold = false
  #awaiting: string | null = null
  #isPastFlags = false

  constructor(program: string) {
    this.#program = program
  }

  take(arg: Field): void {
    const { text } = arg
    if (this.#awaiting !== null) this.#give(this.#awaiting, arg)
    else if (this.#isPastFlags || !/^-./.test(text)) {
      const before = this.subcommand.slice(this.subcommand.lastIndexOf(' ') + 1)
      if (!arg.isKnown) this.#hasUntold = true
      const isOther = this.#hasUntold && this.#program === 'git' && this.subcommand === '' && !isGitVerb(arg.text)
      const isPart = !this.#isPastFlags && arg.isKnown && !isOther && this.#isVerb(arg.text, before)
      if (isPart) this.subcommand = `${this.subcommand} ${arg.text}`.trimStart()
      else this.operands.push(arg)
    } else if (text === '--') this.#isPastFlags = true
    else if (text.startsWith('--')) this.#long(arg)
    else this.#short(arg)
  }

  get #key(): string {
    return `${this.#program} ${this.subcommand.split(' ', 1)[0] ?? ''}`.trimEnd()
  }

  #takesValue(flag: string): boolean {
    // A flag of the program itself may stand behind the subcommand, but `git log -c` is another one.
    return (
      valueFlags.get(this.#key)?.has(flag) === true ||
      (this.subcommand !== '' && this.#program !== 'git' && valueFlags.get(this.#program)?.has(flag) === true)
    )
  }

  #give(flag: string, value: Field): void {
    const given = this.values.get(flag)
    if (given === undefined) this.values.set(flag, [value])
    else given.push(value)
    this.#awaiting = null
  }

  /** A script, a user or an image says nothing about what is done. */
  #isVerb(word: string, before: string): boolean {
    const place = ++this.#places
    if (
      NO_VERB.test(this.#program) ||
      (/^(?:docker|kubectl)$/.test(this.#program) && before !== 'compose' && place > 1)
    )
      return false
    return isSubcommand(this.#program, place, word, before)
  }

  #long(arg: Field): void {
    const equals = arg.text.indexOf('=')
    const flag = this.#unabbreviated(equals < 0 ? arg.text : arg.text.slice(0, equals))
    if (flag === '--no-dry-run') this.#forget('-n', '--dry-run')
    this.flags.push(flag)
    if (equals >= 0) this.#give(flag, { ...arg, text: arg.text.slice(equals + 1) })
    else if (this.#takesValue(flag)) this.#awaiting = flag
  }

  /** The last of two that contradict each other counts. */
  #forget(...flags: readonly string[]): void {
    const rest = this.flags.filter((each) => !flags.includes(each))
    this.flags.splice(0, this.flags.length, ...rest)
  }

  #unabbreviated(flag: string): string {
    const known = longFlags.get(this.#key)
    if (known === undefined || known.includes(flag)) return flag
    return known.filter((each) => each.startsWith(flag)).toSorted((one, other) => one.length - other.length)[0] ?? flag
  }

  #short(arg: Field): void {
    const { text } = arg
    if (ONE_DASH.has(this.#program) || this.#takesValue(text)) {
      this.flags.push(text)
      if (this.#takesValue(text)) this.#awaiting = text
      return
    }
    if (text.length > 2) this.flags.push(text)
    for (let at = 1; at < text.length; at++) {
      const flag = `-${text[at] ?? ''}`
      if (!/^-[A-Za-z0-9]$/.test(flag)) break
      this.flags.push(flag)
      if (!this.#takesValue(flag)) continue
      if (at + 1 < text.length) this.#give(flag, { ...arg, text: text.slice(at + 1) })
      else this.#awaiting = flag
      break
    }
  }
}
