/** What a terminal says by itself: answers to questions of the program, and that it got or lost the focus. */
const report =
  '\u001b\\[(?:[?>=][\\d;]*\\$?[A-Za-z]|[\\d;]+[Rn]|[\\d;]+t|[IO])' +
  '|\u001b\\][^\u0007\u001b]*(?:\u0007|\u001b\\\\)' +
  '|\u001b[P_][^\u001b]*\u001b\\\\'
const onlyReports = new RegExp(`^(?:${report})+$`)

/** No person typed this. */
export const isReport = (bytes: Buffer): boolean => onlyReports.test(bytes.toString('latin1'))
