// What people do who have another Node and npm.
import { it } from 'node:test'
import { outside, runLong } from './lane.ts'

const skip = process.platform === 'linux' && process.arch === 'x64' ? false : 'needs Linux on x64'

it('An installation by Node 18 and 22 (needs bash, curl and the registry of npm)', { skip }, async () => {
  await runLong('other-nodes', ['.ci/fresh-clone'], outside)
})
