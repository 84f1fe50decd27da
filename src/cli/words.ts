/** Commands by the words that people try for them. */
export const aliases = {
  stop: 'down',
  kill: 'down',
  status: 'ps',
  list: 'ps',
  ls: 'ps',
  send: 'tell',
} as const

/** Names that changed: what is typed now. */
const moved: Readonly<Record<string, string>> = {
  suggest: 'memory suggest',
  next: 'memory next',
  history: 'memory history',
  diagnose: 'memory diagnose',
  note: 'memory note',
  shell: 'memory shell',
  watch: 'bus watch',
  control: 'bus control',
  decisions: 'decision list',
  msg: 'task report',
  loops: 'rules loops',
  update: 'setup',
  paths: 'config paths',
  context: 'session context',
  unpause: 'resume',
  'chat unpause': 'chat resume',
  'task unpause': 'task resume',
}

/** Other words that people try, and what there is for them. */
const tried: Readonly<Record<string, string>> = {
  ui: 'Open the page: rein web (in the terminal: rein top)',
  start: 'Start an agent: rein up worker-1',
  new: 'Start an agent: rein up worker-1',
  create: 'Start an agent: rein up worker-1',
  message: "Tell an agent something: rein tell worker-1 'How far are you?'",
  ask: "Tell an agent something: rein tell worker-1 'How far are you?'",
  open: 'Open the terminal of an agent: rein attach worker-1',
  exec: "Run an agent for one prompt: rein run 'What is in this directory?'",
  rewind: 'Take an agent back to a turn: rein session rewind worker-1 1 (the turns: rein session show worker-1)',
  undo: 'Take the last rewind back: rein session undo worker-1',
  fork: 'Start another agent from a turn of this one: rein session fork worker-1 1',
  quit: 'Stop an agent: rein down worker-1',
  rm: 'Stop an agent: rein down worker-1 (`rein ps` then lists it only with --all)',
}

/** What to print below a word that is no command; undefined: nothing is known about it. */
export const explainWord = (words: string): string | undefined => {
  const now = moved[words]
  return now === undefined ? tried[words] : `\`rein ${words}\` is now \`rein ${now}\`.`
}
