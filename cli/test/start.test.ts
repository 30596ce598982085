// What a command loads before it does something: `npm run bench -- command-line` measures how long that takes.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import { it } from 'node:test'

const PROGRAM = resolve(import.meta.dirname, '../src/main.ts')
const TELL = 'data:text/javascript,process.on("exit",()=>console.error(process.moduleLoadList.join("\\n")))'

it('starts without HTTP, TLS and readline', () => {
  for (const word of ['--version', 'help']) {
    const script = `${JSON.stringify(process.execPath)} --import '${TELL}' ${JSON.stringify(PROGRAM)} ${word} 2>&1 >/dev/null`
    const loaded = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\n')
    assert.ok(loaded.includes('NativeModule fs'))
    for (const name of ['https', 'http', 'tls', 'readline', 'child_process'])
      assert.ok(!loaded.includes(`NativeModule ${name}`), `${word} loads ${name}`)
  }
})
