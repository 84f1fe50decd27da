/** Parts that differ between two equal runs: times, durations, ids, and reminders of the CLI. */
const passing: readonly (readonly [RegExp, string])[] = [
  [/<system-reminder>.*?<\/system-reminder>/gs, ''],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<id>'],
  [/\bChunk ID: \w+/g, 'Chunk ID: <id>'],
  [/\S+\/tasks\/\w+\.output\b/g, '<output of a task>'],
  [/(?<=<task-id>|\bin background with ID: )\w+/g, '<id>'],
  [/(?<=<\w*_tokens>|<duration_ms>)\d+/g, '<count>'],
  [/\b(?:toolu|call|msg|agent)_\w{8,}/g, '<id>'],
  [/\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}\b/g, '<hash>'],
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z| ?[+-]\d\d:?\d\d)?)?/g, '<time>'],
  [/\b\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?\b(?:\s?[AP]M\b)?/g, '<time>'],
  [/\b(\w*_tokens|duration_ms): \d+/g, '$1: <count>'],
  [/\b\d+(?:\.\d+)?\s?(?:ms|µs|s|sec|secs|seconds?|minutes?)\b/g, '<duration>'],
]

/** Text from Rein itself: directives of the recording are not sent again. */
const fromRein = /(?:<|&lt;)rein-(?:directive|message)\b|^Rein \(|^Channels to the outside world: /m

export const normalised = (text: string): string =>
  passing.reduce((result, [pattern, word]) => result.replace(pattern, word), text).trim()

export const isFromRein = (text: string): boolean => fromRein.test(text)
