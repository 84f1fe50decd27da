/** Commands that lose work, force a thing or end what others run: right at times, but never to be suggested. */
const DESTRUCTIVE = [
  /(?:^|[\s;&|(])(?:rm|rmdir|unlink|shred|dd|mkfs\S*|kill|pkill|killall|truncate|sudo|doas|shutdown|reboot)\s/,
  /\bgit\b.*\s(?:reset\b.*--hard|clean\b|restore\b|checkout\b.*\s(?:--|\.|\S+\.[a-z]\w{0,4})(?:\s|$)|stash (?:drop|clear)|branch\b.*\s-D\b|push\b.*(?:--force|\s-f\b|\s\+|--delete|--mirror)|worktree remove|filter-branch|update-ref -d)/,
  /--(?:force|force-with-lease|no-verify|delete|hard|break-system-packages|privileged|purge)\b|\s-rf\b/,
  /\b(?:prune|volume rm|system df -f|drop (?:table|database|schema)|delete from|down\b.*(?:-v|--volumes)|terraform (?:destroy|apply|force-unlock)|kubectl delete|helm uninstall|npm publish|unpublish)\b/i,
  /\bchmod\b.*\b777\b|\bchown\b|\|\s*(?:ba|z|da)?sh\b|\bcurl\b.*\|\s*\w*sh\b/,
]

/** What is longer is never suggested, whatever it does; the patterns above take their time over long lines. */
const LONGEST = 1_000

export const isDestructive = (command: string): boolean =>
  command.length > LONGEST || DESTRUCTIVE.some((pattern) => pattern.test(` ${command} `))

const PUBLISHING =
  /\bgit push\b|\bgh (?:pr (?:create|merge|close|comment|review)|issue|release|api|workflow run)\b|\b(?:publish|upload|deploy|release)\b|\b(?:docker|podman) push\b|\b(?:terraform|tofu|kubectl|helm) (?:apply|install|upgrade)\b/

/** Commands that others see or that change what is not on this machine: for whoever decides that it is time. */
export const isPublishing = (command: string): boolean => PUBLISHING.test(command)
