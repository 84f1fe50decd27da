// A vitest reporter: names the tests that passed only on a second try, with what went wrong in the first, so that none goes unseen.
const found = []

export default class SecondTries {
  onTestCaseResult(test) {
    if (test.diagnostic()?.flaky) found.push({ name: test.fullName, errors: test.result().errors ?? [] })
  }

  onTestRunEnd() {
    if (found.length === 0) return
    console.log(`\nPassed only on the second try (${found.length}):`)
    for (const { name, errors } of found)
      console.log(`  ${name}: ${errors[0]?.message.split('\n')[0] ?? 'no error kept'}`)
  }
}
