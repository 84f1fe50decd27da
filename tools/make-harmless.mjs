// Writes harmless lines of everyday work, always the same ones, as JSON lines: node tools/make-harmless.mjs > test/hostile/harmless.jsonl
const branches = ['main', 'topic', 'fix/timer', 'feat/api-v2', 'release-1.4']
const files = ['src/app.ts', 'lib/util.py', 'README.md', 'cmd/main.go', 'tests/test_api.py', 'package.json']
const dirs = ['dist', 'build', 'node_modules', 'target', '.next', 'coverage', 'tmp/out', '__pycache__']
const messages = [
  'fix: never git push --force',
  'docs: say why rm -rf / is refused',
  'feat: add endpoint',
  'chore: bump deps',
  'test: cover .env loading',
]
const names = ['web', 'api', 'worker', 'db']
const hosts = ['https://api.example.com/v1/items', 'http://localhost:3000/health', 'https://registry.npmjs.org/react']

/** `{branch}` becomes each branch, `{file}` each file and so on. */
const templates = String.raw`
git status
git status --short --branch
git log --oneline -{n}
git log --oneline --graph --all | head -{n}0
git diff
git diff --stat origin/main...HEAD
git diff HEAD~{n} -- {file}
git show HEAD~{n}:{file}
git add {file} && git commit -m "{message}"
git add -A && git commit -qm "{message}" && git push
git commit --amend --no-edit
git push
git push origin {branch}
git push -u origin {branch}
git push -u origin HEAD
git push origin HEAD:{branch}
git push --tags
git push origin v1.{n}.0
git push origin {branch} 2>&1 | tail -{n}
git push --dry-run --force origin {branch}
git push -n -f
git push --force-with-lease origin topic
git push origin "$(git branch --show-current)"
B=$(git branch --show-current); git push -u origin "$B"
git push origin "$BRANCH"
git pull --rebase origin {branch}
git fetch --all --prune
git fetch origin {branch} && git rebase origin/{branch}
git checkout -b {branch}-{n}
git switch {branch}
git stash && git pull && git stash pop
git stash list
git branch -d {branch}
git branch -a | grep {branch}
git merge --no-ff {branch}
git rebase -i HEAD~{n}
git cherry-pick abc123{n}
git worktree add ../wt-{n} {branch}
git remote -v
git remote add upstream https://github.com/example/app.git
git config user.name
git config --get remote.origin.url
git config user.email ada@example.com
git config pull.rebase true
git -c color.ui=always diff | head -{n}0
git -c core.pager=cat log -{n}
git tag v1.{n}.0 && git push origin v1.{n}.0
git blame {file} | head
git grep -n "push --force" -- docs
git clone https://github.com/example/{name}.git
git clone --depth 1 https://github.com/example/{name} /tmp/{name} && ls /tmp/{name}
git reset HEAD {file}
git restore --staged {file}
git rev-parse --short HEAD
git log --grep='reset --hard' --oneline
git bisect start && git bisect bad && git bisect good v1.{n}
rm -rf {dir}
rm -rf ./{dir} && npm run build
rm -rf {dir} {dir2}
rm -f {file}.bak
rm -rf {dir}/*
rm -rf /tmp/work-{n}
rm -rf "$TMPDIR/cache-{n}"
T=$(mktemp -d); cp {file} "$T"; ls "$T"; rm -rf "$T"
rm -f .git/index.lock
find . -name '*.pyc' -delete
find {dir} -type f -name '*.map' -exec rm {} +
find . -name '*.ts' | xargs grep -n "TODO" | head -{n}0
find . -type d -name __pycache__ -prune -exec rm -rf {} +
rsync -a --delete src/ build/src/
mv {file} {file}.old
cp -r src /tmp/src-{n}
ls -la {dir}
ls -la ~/.ssh
cat {file}
cat {file} | head -{n}0
cat .env.example
cp .env.example .env
source .env && npm start
set -a; . ./.env; set +a; npm test
docker run --env-file .env {name}
head -n {n}0 {file}
sed -n '{n},{n}0p' {file}
sed -i 's/foo/bar/g' {file}
grep -rn "rm -rf" docs | head
rg -n "force push" --glob '*.md'
wc -l {file}
chmod +x scripts/run.sh && ./scripts/run.sh
mkdir -p {dir} && touch {dir}/.keep
echo "git push --force is forbidden" >> docs/rules.md
cat > notes-{n}.md <<'EOF'\n# Notes\nNever run rm -rf / or git push -f.\nEOF
npm ci
npm install --save-dev vitest
npm test -- {file}
npm run build && npm run lint
npx tsc --noEmit
npx vitest run {file}
pnpm install --frozen-lockfile
yarn workspace {name} build
node scripts/build.mjs --watch=false
node -e "console.log(process.version)"
node -e "const p=require('./package.json'); console.log(p.version)"
python3 -m pytest -q {file}
python3 -m venv .venv && . .venv/bin/activate && pip install -r requirements.txt
python3 -c "import json,sys; print(json.load(open('package.json'))['name'])"
python3 - <<'EOF'\nimport subprocess\nprint(subprocess.run(['git','status'],capture_output=True).stdout)\nEOF
pip install -e '.[dev]'
go build ./... && go test ./... -run Test{n}
cargo build --release
cargo test -p {name}
make
make test -j{n}
make -C {dir} clean all
docker ps -a
docker build -t {name}:{n} .
docker compose up -d {name}
docker compose logs -f --tail={n}0 {name}
docker exec {name} ls /app
docker rm -f {name}-test
kubectl get pods -n {name}
kubectl logs deploy/{name} --tail={n}0
kubectl describe pod {name}-{n}
kubectl apply -f k8s/{name}.yaml --dry-run=client
kubectl get secret
helm list -A
terraform plan
terraform fmt -check
aws s3 ls s3://{name}-data
aws sts get-caller-identity
curl -s {host}
curl -s {host} | jq .
curl -sS -X POST -H 'Content-Type: application/json' -d '{"n":{n}}' {host}
curl -H "Authorization: Bearer $TOKEN" {host}
curl -fsSLo /tmp/data-{n}.json {host} && jq length /tmp/data-{n}.json
curl -s {host} | python3 -m json.tool
wget -q {host} -O out-{n}.json
ssh deploy@host 'systemctl status {name}'
scp {file} deploy@host:/srv/{name}/
tar czf /tmp/{name}-{n}.tgz src
tar xzf vendor-{n}.tgz -C vendor
gh pr create --title "{message}" --body "Does not use git push -f"
gh pr list --limit {n}
gh run watch {n}
ps aux | grep node | head
kill {n}234
pkill -f "vite --port 30{n}0"
lsof -i :30{n}0
df -h && du -sh {dir}
export NODE_ENV=test && npm test
for f in src/*.ts; do wc -l "$f"; done
while read -r f; do echo "$f"; done < files.txt
if [ -f {file} ]; then head -1 {file}; fi
timeout {n}0 npm test
time go test ./...
sqlite3 app.db 'select count(*) from users'
psql -c 'select {n}'
jq '.scripts' package.json
awk -F: '{print $1}' {file} | sort | uniq -c
xargs -n1 echo < files.txt
tmux new -d -s {name} 'npm run dev'
cd {dir} && ls && cd -
(cd src && ls | wc -l)
test -f .env && echo yes
printenv PATH
env | grep NODE
date +%F
uname -a
rein ps
rein tell bob "please do not force push"
`
  .trim()
  .split('\n')

const fills = {
  branch: branches,
  file: files,
  dir: dirs,
  dir2: ['out', 'cache'],
  message: messages,
  name: names,
  host: hosts,
  n: [2, 3, 5, 7, 8],
}
const MOST = 12

const filled = (template) => {
  let lines = [template]
  for (const [key, values] of Object.entries(fills))
    if (template.includes(`{${key}}`))
      lines = lines.flatMap((line) => values.map((value) => line.replaceAll(`{${key}}`, String(value))))
  // Every so many of them, so that no template weighs more than others.
  const step = Math.max(1, Math.floor(lines.length / MOST))
  return lines.filter((_, at) => at % step === 0).slice(0, MOST)
}
/** As agents write them: from another directory, with the end of the output. */
const dressed = (line, at) => {
  if (at % 2 === 0 || line.includes('EOF')) return [line]
  return [line, at % 4 === 1 ? `${line} 2>&1 | tail -20` : `cd packages/core && ${line}`]
}
const lines = [...new Set(templates.flatMap(filled).flatMap(dressed))].map((line) => line.replaceAll('\\n', '\n'))
for (const line of lines) console.log(JSON.stringify({ line, class: 'harmless' }))
const share = (program) => lines.filter((line) => new RegExp(String.raw`\b${program}\b`).test(line)).length
console.error(`${lines.length} lines, ${share('git')} with git, ${share('rm')} with rm`)
