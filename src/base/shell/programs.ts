/** Programs whose first plain word says what they do. */
const MANY_IN_ONE = new Set(
  (
    'git go npm npx pnpm yarn bun bunx deno node python python3 uv uvx pip pip3 pipx poetry pdm hatch tox nox conda ' +
    'cargo rustup make just task mise asdf docker podman docker-compose kubectl helm k9s terraform tofu pulumi ' +
    'gh glab hub aws gcloud az flyctl fly wrangler vercel netlify heroku supabase firebase turbo nx lerna vitest jest playwright ' +
    'brew apt apt-get apk dnf yum pacman yay paru snap flatpak nix systemctl service launchctl journalctl tmux ' +
    'bundle rails rake gem php composer artisan dotnet mvn gradle gradlew sbt xcodebuild swift flutter dart mix elixir zig stack cabal ' +
    'claude codex opencode gemini copilot rein entire bd yadm chezmoi jj hg svn sudo'
  ).split(' '),
)
/** Words after which one more plain word belongs to what is done. */
const ONE_MORE = new Set(
  'run exec compose pr issue stash remote mod tool worktree config branch repo release workflow'.split(' '),
)
const PLAIN = /^[A-Za-z][\w:.-]{0,22}$/

/** Whether the plain word at `place` (1 = right after the program) is part of what the program does. */
export const isSubcommand = (program: string, place: number, word: string, before: string): boolean =>
  MANY_IN_ONE.has(program) && PLAIN.test(word) && (place === 1 || (place === 2 && ONE_MORE.has(before)))

/** Programs that only run another one, with the number of words of their own that come before it. */
const WRAPPERS: Readonly<Record<string, number>> = {
  env: 0,
  sudo: 0,
  doas: 0,
  time: 0,
  nice: 0,
  ionice: 0,
  nohup: 0,
  command: 0,
  exec: 0,
  builtin: 0,
  stdbuf: 0,
  setsid: 0,
  xvfb: 0,
  timeout: 1,
  gtimeout: 1,
}
const FLAG_WITH_VALUE = new Set(['-u', '-g', '-n', '-s', '-k', '-C', '-c', '--signal', '--kill-after', '--user'])
const ASSIGNMENT = /^[A-Za-z_]\w*=/

/** Where the wrapped program stands among the words, past `sudo -u me`, `env A=1`, `timeout 30`. */
export function programIndex(words: readonly string[]): number {
  let index = 0
  for (;;) {
    // Of Rein itself only what runs another program in front of the user.
    const program = baseName(words[index] ?? '')
    const isRunner =
      program === 'rein' &&
      words[index + 1] === 'memory' &&
      words[index + 2] === 'diagnose' &&
      words.includes('--', index)
    const own = isRunner ? 2 : WRAPPERS[program]
    if (own === undefined) return index
    const next = pastOwnWords(words, index + 1, own)
    if (next >= words.length) return index
    index = next
  }
}

function pastOwnWords(words: readonly string[], start: number, own: number): number {
  let index = start
  let left = own
  for (; index < words.length; index++) {
    const word = words[index] ?? ''
    if (word.startsWith('-')) index += FLAG_WITH_VALUE.has(word) ? 1 : 0
    else if (!ASSIGNMENT.test(word) && left-- <= 0) break
  }
  return index
}

export const baseName = (word: string): string => word.slice(word.lastIndexOf('/') + 1) || word
