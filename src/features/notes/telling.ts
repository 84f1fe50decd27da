const escapes = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?)/g
const complaint =
  /error|fail|fatal|panic|exception|cannot|can't|could not|unable|denied|refused|invalid|missing|mismatch|exceeded|already|not found|no such|not wrapped|E {3}/i
const longestOutput = 200_000
const longestLine = 300
const mostComplaints = 12
const lastLines = 6

/** The lines of a failed command's output that say why: complaints, and the last lines. */
export const tellingLines = (output: string): string => {
  const lines = output
    .slice(-longestOutput)
    .replaceAll(escapes, '')
    .split(/[\r\n]+/)
    .map((line) => line.slice(0, longestLine).trim())
    .filter((line) => line !== '')
  const complaints = lines.filter((line) => complaint.test(line))
  return [...new Set([...complaints.slice(0, mostComplaints), ...lines.slice(-lastLines)])].join('\n')
}
