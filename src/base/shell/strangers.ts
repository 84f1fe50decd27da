import { isInert, withoutTexts } from './guess.ts'
import { languageOf } from './interpreters.ts'
import { UNKNOWN_PROGRAM } from './reading.ts'
import { type Field, field, type ShellState } from './state.ts'
import { type Run, writtenTo } from './written.ts'

/** They show, send or keep what an address has, or name it to a service; rules of their own know what else they do. */
const CLIENTS = new Set(
  (
    'wget2 aria2c axel httpie curlie wcurl lynx w3m links elinks open xdg-open start explorer sensible-browser chrome google-chrome chromium chromium-browser firefox brave safari ' +
    'ab wrk wrk2 hey k6 vegeta siege bombardier oha autocannon artillery locust lighthouse pa11y axe linkchecker lychee muffet htmlq pup monolith single-file wkhtmltopdf wkhtmltoimage httrack ' +
    'ping dig host nslookup drill whois traceroute mtr nc ncat telnet openssl testssl.sh nmap ssh scp sftp rsync websocat wscat grpcurl ghz newman hurl httpx httpstat hey mosquitto_pub ' +
    'yt-dlp youtube-dl gallery-dl ffmpeg ffprobe mpv vlc mplayer convert magick qrencode rclone aws gsutil gcloud az s3cmd mc az heroku fly flyctl vercel netlify wrangler railway render supabase firebase stripe sentry-cli ngrok cloudflared ' +
    'docker podman nerdctl docker-compose skopeo crane oras cosign npm pnpm yarn npx bunx bun pip pip3 uv uvx pipx poetry cargo go mvn gem bundle svn hg bzr fossil jj sl git-lfs hub tea acli jira ' +
    'argocd flux gcrane vault consul nomad databricks dbt psql mysql mongosh redis-cli duckdb sqlite3 es elasticdump influx promtool amtool ' +
    'playwright cypress puppeteer agent-browser browser-use chrome-devtools selenium-side-runner webdriver storybook chromatic percy zap-baseline.py sqlmap nikto nuclei gobuster ffuf wfuzz wpscan katana subfinder feroxbuster dirb ' +
    'awk gawk mawk nawk perl base64 xxd md5sum sha256sum shasum xargs find env time make gmake just task bats while for expr bc basename dirname column pandoc xmllint gpg tmux screen pass op bw todo task jrnl nb bd gt wp shopify sitespeed.io dotnet'
  ).split(' '),
)
/** Scripts of the project: what they do with an address stands in them. */
const IS_SCRIPT = /\.(?:sh|bash|zsh|py|rb|pl|js|mjs|cjs|ts|php)$/
/** Addresses of this machine, of a network at home, and those that only the shell can tell. */
const NEAR = String.raw`(?!localhost\b|127\.|0\.0\.0\.0|\[|[$<{]|host\.docker\.internal|192\.168\.|10\.\d|172\.(?:1[6-9]|2\d|3[01])\.|[\w.-]+\.(?:local|internal|localhost|test)\b|[\w-]+(?::\d+)?(?:\/|$))`
/** Registries and mirrors that package managers are given every day. */
const REGISTRIES = String.raw`(?!(?:[\w-]+\.)*(?:pypi\.org|pythonhosted\.org|pytorch\.org|npmjs\.(?:org|com)|yarnpkg\.com|golang\.org|goproxy\.(?:io|cn)|crates\.io|rubygems\.org|maven\.org|apache\.org|gradle\.org|packagist\.org|npmmirror\.com|tsinghua\.edu\.cn|aliyun\.com|ustc\.edu\.cn|nvidia\.com|microsoft\.com|docker\.com|hashicorp\.com|kubernetes\.io|helm\.sh|bitnami\.com|jetstack\.io|grafana\.com|r-project\.org|rstudio\.com|nuget\.org|anaconda\.(?:org|com)|hub\.docker\.com)(?:[/:]|$))`
const SCHEME = String.raw`(?:git\+)?(?:https?|ftps?|git|tftp|s3|gs|ipfs):\/\/(?:[^\s/@]+@)?`
/** An address as a word, as the value of a flag, or in code of another language; not one in a sentence. */
const ADDRESS = new RegExp(
  String.raw`(?:^|^[\w:.-]+\s+|["'\x60(<[=,|+]|^-\w)${SCHEME}${NEAR}${REGISTRIES}[\w-]+\.[\w.-]+`,
  'i',
)

/** What stands behind these is a name for the project itself or for whom it talks to, and nothing is taken from there to be run. */
const NAMES_PLACE =
  /^-{1,2}(?:base\S*|P|H|host\S*|site\S*|store|origin\S*|endpoint\S*|server\S*|api\S*|public\S*|proxy\S*|homepage|issuer\S*|audience|callback\S*|redirect\S*|webhook\S*|external-ref|link)(?:=|$)/i

/** What is read of another machine lies there. */
const ELSEWHERE = /^(?:ssh|mosh|docker|podman|nerdctl|kubectl|oc|lxc|vagrant|chroot|systemd-nspawn|nsenter)$/

/** They only look at files, or change what rules of their own look at. */
const LOOKERS = new Set(
  (
    'zcat bzcat xzcat zless bat batcat view hexdump xxd od strings readelf objdump nm ldd otool size c++filt addr2line strace ltrace perf gdb lldb valgrind lsof fuser pgrep ps top htop df du ncdu dust tree exa eza lsd find gfind fd fdfind locate mlocate plocate updatedb ' +
    'lsblk blkid findmnt mount umount smartctl fsck e2fsck hdparm udisksctl udevadm fdisk parted resize2fs growpart getfacl getent id groups who whoami lsattr namei md5sum sha1sum sha256sum sha512sum shasum b2sum cksum sum ' +
    'z j zoxide autojump pd d dirs source . exec eval trap xargs parallel env sudo doas time awk gawk mawk nawk vim vi nvim nano emacs code cursor subl micro hx helix kate gedit open xdg-open visudo vipw crontab ' +
    'tar gtar bsdtar zip unzip 7z 7za cpio gzip gunzip bzip2 xz zstd rsync scp sftp borg restic duplicity dd tee shred srm wipe truncate rimraf trash trash-put del-cli gio docker podman nerdctl docker-compose kubectl helm git gh ' +
    'dpkg dpkg-query dpkg-deb rpm apt apt-get apt-cache apt-file dnf yum zypper pacman apk brew port snap flatpak nix systemctl service journalctl launchctl loginctl sysctl update-alternatives alternatives ldconfig modprobe lsmod lspci lsusb dmesg uname hostnamectl timedatectl localectl ' +
    'make gmake cmake ninja meson configure pkg-config gcc g++ cc c++ clang clang++ ld ar as rustc go cargo javac java npm pnpm yarn npx pip pip3 uv virtualenv venv pyenv rbenv nvm conda mamba poetry tox nox ' +
    'nginx apachectl apache2ctl httpd haproxy caddy named-checkconf sshd postfix postconf mysqld postgres php-fpm supervisord certbot ansible ansible-playbook terraform plutil defaults codesign spctl security mdls mdfind osascript setfacl chattr fallocate filefrag useradd usermod passwd chsh ' +
    'shellcheck shfmt yamllint xmllint dos2unix iconv enca jo pandoc realpath readlink md5 wslpath cygpath cygstart explorer.exe logrotate tmpreaper tmpwatch rename prename mmv vidir mkfs mkswap swapon losetup cryptsetup lvs vgs pvs zfs zpool btrfs ' +
    'foreach repeat while if until for alias setenv unsetenv set printenv finger ftp telnet ssh ssh-keygen ssh-add ssh-copy-id mail pine elm lpr enscript a2ps latex pdflatex gs ghostview xv xdvi matlab'
  ).split(' '),
)
const WRITES_ITS_VALUE = new Set(
  'gcc g++ cc c++ clang clang++ ld ar as rustc go iconv pandoc gs java ssh-keygen xmllint objdump'.split(' '),
)
const SYSTEM_FILE = String.raw`\/(?:etc|s?bin|boot|lib(?:32|64)?|usr\/(?:s?bin|lib(?:32|64|exec)?)|var\/lib|proc\/sys(?:rq-trigger)?|sys\/(?:block|class|kernel|firmware))\/[\w.*-]`
const SYSTEM_TREE = String.raw`\/(?:etc|s?bin|boot|lib(?:32|64)?|usr(?:\/(?:s?bin|lib|local|share))?|var(?:\/(?:lib|log))?|home|root|opt|srv|Users)?\/?(?:\*+)?(?=$|["'\x60\s),;}\]])`
const DEVICE = String.raw`\/dev\/(?:sd[a-z]|hd[a-z]|vd[a-z]|xvd[a-z]|nvme\d|mmcblk\d|r?disk\d|mapper\/\w|md\d|dm-\d|mem\b|kmem\b|disk\/)`
const OPERAND = new RegExp(`^(?:${SYSTEM_FILE}|${SYSTEM_TREE}|${DEVICE})`)
const IN_CODE = new RegExp(String.raw`["'\x60(\s](?:${SYSTEM_FILE}|\/(?:etc|usr|boot|var|home)\/?["'\x60]|${DEVICE})`)
const OUTPUT_VALUE = new RegExp(
  String.raw`^(?:-[oO]|-{0,2}(?:o|of|[\w-]*out(?:put|file|dir)?[\w-]*|dest\w*|target\w*|file\w*|CREATE|OPEN|GOPEN)[=:]|\S*[,;](?:CREATE|OPEN):|file:\/\/)(?:file:\/\/)?(?:${SYSTEM_FILE}|${SYSTEM_TREE}|${DEVICE})`,
  'i',
)
const TAKES_OUTPUT = /^-{1,2}(?:o|O|out|outfile|outform|output\S*|dest\w*|target\S*|write\S*|save\S*|to)$/
/** What stands behind these is read, or a place that others are told of. */
const TAKES_SETTING =
  /^-{1,2}(?:c|C|f|I|L|p|conf\S*|config\S*|cfg|prefix|root|rootdir|base\S*|include\S*|lib\S*|python|cacert|ca\S*|cert\S*|key\S*|input\S*|in|i|from|source\S*|exclude\S*|schema|env-file|rcfile|interpreter|shell|bin\S*)$/
const NAMES_LOSS = /rm|del|wipe|shred|trash|eras|purg|nuke|clean|destroy|scrub|unlink|trunc|zap|kill/i
/** Directories in which a shell looks for the programs that it is told to run. */
const OF_PROGRAMS =
  /^(?:\/(?:home|Users)\/[^/]+|\/root)\/(?:\.local\/bin|bin|\.bin|go\/bin|\.cargo\/bin)\/[^/]+$|^\/(?:usr\/(?:local\/)?|opt\/[^/]+\/)?s?bin\/[^/]+$/

/** What a program that is not known only to look is given: the reader notes it as one run more, for rules to ask about. */
type Handed = 'address' | 'system' | 'program'

/**
 * Nobody can list the programs that fetch, run, write or delete. So these are known by what they are given: an address
 * of somebody else, or a part of the system, in the hands of a program that is not known to leave it as it is.
 */
export function handedTo(
  run: Run,
  args: readonly Field[],
  { isWrapper, input }: { isWrapper: boolean; input: string | null },
  state: ShellState,
): readonly Handed[] {
  const { program, via } = run
  state.work.spend(args.reduce((sum, { text }) => sum + text.length, 0))
  const isNear = !via.some((name) => ELSEWHERE.test(name))
  const placed =
    isNear &&
    run.writes.some((path) => path !== null && OF_PROGRAMS.test(path) && writtenTo(state, path)?.isDownload === true)
      ? (['program'] as const)
      : []
  if (isWrapper || program === '' || languageOf(program) !== null || IS_SCRIPT.test(program)) return placed
  const words = [...withoutTexts(program, args).map(({ text }) => text), ...(input === null ? [] : [input])]
  const isAddress =
    !isInert(program) &&
    !CLIENTS.has(program) &&
    words.some((word, at) => ADDRESS.test(word) && !NAMES_PLACE.test(words[at - 1] ?? '') && !NAMES_PLACE.test(word))
  const isSystem = isNear && takesSystem(program, words, state.home)
  return [...placed, ...(isAddress ? (['address'] as const) : []), ...(isSystem ? (['system'] as const) : [])]
}

function takesSystem(program: string, words: readonly string[], home: string | null): boolean {
  const isValue = (word: string, at: number): boolean =>
    OUTPUT_VALUE.test(word) || (TAKES_OUTPUT.test(words[at - 1] ?? '') && OPERAND.test(word))
  if (words.some(isValue) && (WRITES_ITS_VALUE.has(program) || !LOOKERS.has(program))) return true
  if (isInert(program) || LOOKERS.has(program)) return false
  const isHome = (word: string): boolean =>
    home !== null && (word === home || word === `${home}/` || word === `${home}/*`)
  return words.some((word, at) => {
    if (IN_CODE.test(word)) return true
    if (TAKES_SETTING.test(words[at - 1] ?? '')) return false
    return isHome(word) ? words.length > 1 || NAMES_LOSS.test(program) : OPERAND.test(word)
  })
}

/** The words of the run that is noted. */
export const notedAs = (program: string, handed: Handed): readonly Field[] =>
  [UNKNOWN_PROGRAM, handed, program].map(field)
