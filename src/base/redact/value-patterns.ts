/** Pieces of patterns for a value that something else gives away. */

/** May open a value; in JSON the quote itself is escaped. */
export const quote = String.raw`(?:\$?\\?["'])?`

/** A value up to its closing quote, or to the end of the word; a backslash ends it so that quoted JSON stays intact. */
const quoted = String.raw`(?<=")[^"\\\r\n]{4,}|(?<=')[^'\\\r\n]{4,}`
export const bare = String.raw`(?<!["'])(?:(?!,[\w.]{1,60}=)[^\s"'\x60\\;&|<>()]){4,}(?<![,/\]}])`
export const value = `(?:${quoted}|${bare})`

/** Between a flag and its value; the line may go on in the next one. */
export const space = String.raw`(?:[ \t]{1,4}|[ \t]{0,4}\\\r?\n[ \t]{0,12})`

/** Known ways to write a value down that belong to the writing, not to the value. */
export const encoding = '(?:base64:|0x(?=[0-9a-f]{32}))?'

/** Words of a sentence that speaks of a flag, not of its value. */
export const prose = [
  '(?:to|and|or|is|as|in|on|the|an?|for|from|with|when|if|that|which|must|should|will|can|instead|via|into|by|but|not',
  String.raw`|it|you|flags?|options?|arguments?|parameters?|values?|prompt|stdin|string|means|path|only|also|was|has|gives|sets|takes|uses|allows)(?!\w)`,
].join('')

export const join = (flags: string, ...parts: string[]): RegExp => new RegExp(parts.join(''), flags)
