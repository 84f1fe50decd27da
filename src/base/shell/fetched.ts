import { pathOf } from './effect-calls.ts'
import { isStartupFile, mayRunWords } from './guess.ts'
import { languageOf } from './interpreters.ts'
import { baseName } from './programs.ts'
import type { Input } from './setting.ts'
import { type Field, field, type ShellState } from './state.ts'
import { type Run, writtenTo } from './written.ts'

/** They run what stands in the directory that they are called in, or in the file or package that they are given. */
const BUILDS =
  /^(?:g?make|cmake|ninja|meson|rake|just|npm|pnpm|yarn|bun|pip3?|pipx|uv|poetry|cargo|go|gem|docker|mvn|mvnw|gradlew?|tox|nox|dpkg|rpm|apt|apt-get|dnf|yum|zypper|pacman|installer|snap|flatpak|brew|crontab|at|batch|docker-compose|ansible-playbook|terraform|tofu|systemctl|insmod|expect|pytest|vitest|jest|java|mocha|rspec|phpunit|bundle|mix|sbt|bazel|scons|waf|configure)$/
/** With `-f` or `-S` their script is a file. */
const TAKES_SCRIPT = /^(?:g?awk|mawk|nawk|vim?|nvim|ex|sed)$/
const IS_RECIPE =
  /\/(?:(?:GNU)?[Mm]akefile|package\.json|[Jj]ustfile|Rakefile|CMakeLists\.txt|build\.gradle(?:\.kts)?|pom\.xml|(?:docker-)?compose\.ya?ml|Dockerfile|\.pre-commit-config\.ya?ml|tox\.ini|noxfile\.py|setup\.py|pyproject\.toml|conftest\.py|(?:vite|vitest|jest|webpack|rollup|babel|eslint)\.\w+\.\w+|Cargo\.toml|[\w-]+\.tf|build\.rs|\.npmrc)$/
/** They unpack, check, show or send files, and run nothing of them. */
const HANDLES_DATA =
  /^(?:g?tar|bsdtar|unzip|zipinfo|7za?|cpio|g?zip|gunzip|zcat|bzip2|bunzip2|xz|unxz|zstd|sha\d*sum|shasum|md5sum|md5|b2sum|cksum|gpg2?|gpgv|openssl|minisign|cosign|base64|base32|xxd|od|hexdump|strings|convert|magick|identify|ffmpeg|ffprobe|pdf\w+|exiftool|tesseract|sqlite3|duckdb|psql|mysql|open|xdg-open|code|nano|vim?|nvim|view|bat|batcat|du|df|find|xargs|parallel|scp|rsync|sftp|ssh|dd|rev|fold|paste|join|split|csplit|tree|shellcheck|shfmt|black|isort|ruff|pandoc|xmllint|plutil|yamllint|kubectl|oc|helm|aws|gsutil|gcloud|az|docker-compose|fc-cache|iconv|dos2unix|xsltproc|readelf|objdump|nm|ldd|source|\.|awk|gawk|mawk|nawk|env|sudo|time|npm|nl|sponge|sum|comm|dig|host)$/
/** They show what they get, or make another text or picture of it; scripts of the project say themselves what they do. */
const SHOWS_INPUT =
  /^(?:mlr|gron|pup|htmlq|fx|xq|dasel|jless|jid|jp|jc|jello|json_pp|jsonlint|hjson|yj|xml2|html2\w+|imgcat|chafa|viu|icat|lolcat|fzf|sk|peco|csv\w+|xsv|qsv|q|vd|visidata|tidy|glow|mdcat|lnav|hl|cowsay|figlet|pv|ts|most|lynx|w3m|aplay|mpv|ffplay|play|sox|gzcat|lz4|brotli|pigz|zstdcat|clip(?:\.exe)?|mapfile|readarray|expand|unexpand|look|tsort|numfmt|nkf|ascii2uni|uconv|recode|rich|pygmentize|highlight|termgraph|spark|trafilatura|age|wl-paste|osc52|termbin|.+\.(?:sh|py|js|mjs|ts|rb|pl))$/
const IS_DATA =
  /\.(?:png|jpe?g|gif|webp|svg|ico|pdf|csv|tsv|json|jsonl|ndjson|xml|html?|css|txt|md|log|mp[34]|wav|webm|mov|zip|t?gz|bz2|xz|zst|tar|7z|parquet|npy|npz|pt|onnx|gguf|safetensors|ttf|otf|woff2?|asc|sig|sha256|pem|crt|ya?ml|toml|lock|ipynb|xlsx?|docx?|pptx?|sqlite|db|geojson|osm|bin|dat|fa|fasta|fastq|vcf|bam|bed|iso|img|qcow2|patch|diff)$/i
/** Modules of Python that come with it, and run nothing of what was fetched. */
const OWN_MODULE =
  /^(?:venv|ensurepip|http\.server|json\.tool|zipfile|tarfile|compileall|py_compile|base64|this|sysconfig|site)$/
/** Flags of interpreters that name code which is run besides the script. */
const LOADS = /^(?:-r|--require|--import|--loader|--experimental-loader|-m|--rcfile|--init-file|--preload|-S|-jar)$/
/** `(load "https://…")`, `source(url("https://…"))`, `:source https://…`. */
const LOADS_ADDRESS =
  /\b(?:source|include|require|load|eval[\w-]*|exec|run\w*|import)\b[^]*https?:\/\/|https?:\/\/[^]*\b(?:eval[\w-]*|exec|load|source|include)\b/
const FETCHES = /^<\(.*\b(?:curl|wget|nc|ssh)\b/
/** Code that is fetched when it is run. */
const FETCHED_CODE = /(?:\$\(|`)\s*(?:sudo\s+)?(?:curl|wget|nc|http|xh|aria2c)\b/

/** Whether a program runs what comes from the network: a build, a package, a module, a library, or a recipe. */
export function readsFetched(
  state: ShellState,
  run: Run,
  args: readonly Field[],
  { input, isRead, wasFetched }: { input: Input | null; isRead: boolean; wasFetched: boolean },
): boolean {
  const { program } = run
  const isBuild =
    BUILDS.test(program) ||
    (TAKES_SCRIPT.test(program) && args.some(({ text }) => /^-[fsSl]$/.test(text))) ||
    args.some(({ text }) => /^--(?:install|load)-extension/.test(text))
  if (languageOf(program) !== null) {
    // `python -m module`, `node -r ./file`, `bash --rcfile file`.
    state.work.spend(state.files.size)
    if ([...state.files].some(([path, { isDownload }]) => isDownload && isStartupFile(path))) return true
    const at = args.findIndex(({ text }) => LOADS.test(text))
    if (at >= 0 && FETCHES.test(args[at + 1]?.text ?? '')) return true
    const loaded = at < 0 ? undefined : args[at + 1]
    if (loaded === undefined) return false
    const isModule = args[at]?.text === '-m'
    if (isModule && wasFetched && !OWN_MODULE.test(loaded.text)) return true
    state.work.spend(state.files.size)
    const name = baseName(loaded.text).replaceAll('.', '/')
    return [...state.files].some(
      ([path, { isDownload }]) =>
        isDownload && (path === pathOf(loaded, state) || path.endsWith(`/${name}.py`) || path.includes(`/${name}/__`)),
    )
  }
  if (/^(?:vim?|nvim|ex)$/.test(program) && editsFetched(args, input)) return true
  if (RUNS_INPUT.test(program) && LOADS_ADDRESS.test(input?.text ?? '')) return true
  if (!isBuild && (isRead || HANDLES_DATA.test(program) || SHOWS_INPUT.test(program) || !mayRunWords(run))) return false
  if (
    args.some(
      ({ text }) =>
        FETCHES.test(text) || (RUNS_INPUT.test(program) && (LOADS_ADDRESS.test(text) || FETCHED_CODE.test(text))),
    )
  )
    return true
  if (input?.isFetched === true && (!isBuild || args.some(({ text }) => /^-f?$|^\/dev\/stdin$/.test(text)))) return true
  const isDownloaded = (path: string | null): boolean =>
    writtenTo(state, path)?.isDownload === true && (isBuild || !IS_DATA.test(path ?? ''))
  // Words of a program that may name a file, be it alone or behind the `=` of a flag.
  state.work.spend(args.length + run.operands.length)
  const given = args.flatMap(({ text }) => /^--?[\w-]+=(.+)$/.exec(text)?.[1] ?? [])
  const named = [...run.operands, ...given].map((word) => pathOf(field(word), state))
  if ([...run.reads, ...run.writes, ...named].some(isDownloaded)) return true
  return (
    isBuild && (wasFetched || [...state.files].some(([path, { isDownload }]) => isDownload && IS_RECIPE.test(path)))
  )
}

/** An editor that is told what to do, with an address, or by what comes from the network. */
const editsFetched = (args: readonly Field[], input: Input | null): boolean => {
  const isTold = args.some(({ text }) => /^(?:-c|--cmd|-e?s|\+.+)$/.test(text))
  return isTold && (input?.isFetched === true || args.some(({ text }) => /https?:\/\//.test(text)))
}

/** Interpreters of languages that are not read here, and compilers: what they get on their input they run or make a program of. */
const RUNS_INPUT =
  /^(?:tclsh|wish|expect|gnuplot|octave|R|Rscript|julia|ghci|runghc|swift|kotlinc?|groovy|scala|elixir|iex|erl|escript|guile|racket|sbcl|clisp|emacs|vim?|nvim|ex|jshell|java|gcc|g\+\+|cc|c\+\+|clang|tcc|go|rustc|as|nasm|gdb|lldb|ed|ex|bc|dc|m4|swipl|gst|pwsh|powershell|osascript|csh|tcsh|nu|xonsh|elvish|at|batch|crontab|iptables-restore|cmake|script|nano|qjs|janet|fennel|hy|raku|pike|io|newlisp|gforth|pforth|spidermonkey|js|d8|jsc)$/
