/** Commands that lose work, force something or end processes of others: right at times, but never suggested. */
const destructive = [
  /[\s;&|(/](?:rm|rmi|rmdir|unlink|shred|dd|mkfs\S*|wipefs|kill|pkill|killall|kill-port|fkill|truncate|dropdb|dropuser|sudo|doas|shutdown|reboot|poweroff)\s/,
  /\bfuser\b.*\s-\w*k|\bcrontab\b.*\s-r\b|\bfind\b.*\s-delete\b/,
  /\bgit\b.*\s(?:reset\b.*--hard|clean\b|restore\b|(?:checkout|switch)\b.*\s(?:-f|--discard-changes)\s|checkout\b.*\s(?:--|\.|\S+\.[a-z]\w{0,4})(?:\s|$)|stash (?:drop|clear)|branch\b.*\s-D\b|push\b.*(?:--force|\s-f\b|\s\+|--delete|--mirror)|worktree remove|filter-branch|update-ref -d)/,
  /--(?:force|force-with-lease|no-verify|delete|hard|break-system-packages|privileged|purge|accept-data-loss)\b|\s-rf\b/,
  /\b(?:prune|volume rm|system df -f|drop (?:table|database|schema|index|view|role|user)|delete from|flushall|flushdb|dropDatabase|deleteMany|db:drop|db:reset|migrate[: ](?:reset|fresh|refresh)|down\b.*(?:-v|--volumes)|terraform (?:destroy|apply|force-unlock)|kubectl delete|helm uninstall|npm publish|unpublish)\b/i,
  /\bchmod\b.*\b777\b|\bchown\b|\|\s*(?:ba|z|da)?sh\b|\bcurl\b.*\|\s*\w*sh\b|[<$]\(\s*(?:curl|wget)\b/,
  /["';]\s*truncate\s/i,
  /\b(?:aws|gcloud|az|gh|glab|doctl|heroku|fly|flyctl|vercel|netlify|oc)\b.*[\s:](?:delete|destroy|remove|rb|terminate|deregister)\b/,
  // Truncates a file by redirecting nothing into it.
  /(?:^|&&|\|\||[;(])\s*(?::\s*)?>\|?\s*[^\s&>]/,
]

/** A longer command is never suggested: the patterns above are slow on long lines. */
const longestChecked = 1_000

export const isDestructive = (command: string): boolean =>
  command.length > longestChecked || destructive.some((pattern) => pattern.test(` ${command} `))

const publishing =
  /\bgit(?: -[cC] \S+| --\S+)* push\b|\bgh (?:pr (?:create|merge|close|comment|review)|issue|release|api|workflow run)\b|\b(?:publish|upload|deploy|release)\b|\b(?:docker|podman) push\b|\b(?:terraform|tofu|kubectl|helm) (?:apply|install|upgrade)\b/

/** Commands that others see or that change other machines: only their user decides when it is time. */
export const isPublishing = (command: string): boolean => publishing.test(command)
