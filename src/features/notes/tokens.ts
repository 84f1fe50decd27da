const stopWords = new Set(
  `a about after again all also an and any are as at be because been but by can cannot could did do does doing fix for from
   get got had has have how if in into is it its just let me more my no not now of off on one only or other our out
   please problem run same say says should since so some still than that the their then there these they this those to too up
   us use verification was we were what when where which who why will with would you your`.split(/\s+/),
)

/** So much of a text is looked at: what comes after it says nothing new. */
const longestText = 100_000

/** The words of a text, in small letters, without those that stand in every text. */
export const tokensOf = (text: string): string[] =>
  (
    text
      .slice(0, longestText)
      .toLowerCase()
      .match(/[\p{L}\p{N}]{2,}/gu) ?? []
  ).filter((word) => !stopWords.has(word))
