// The contrast that the page of looks shows while colours are typed is that by which the server decides.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { lowestContrasts } from '../../src/config/colors.ts'

it('A page tells the same contrasts as the server, for colours of every hue', async () => {
  Object.assign(globalThis, { document: { documentElement: { lang: 'en' } } })
  const { contrastsOf } = await import('../src/enhance/contrast.ts')
  const colours = ['#2b6cb0', '#ffff00', '#00ff00', '#ff00ff', '#000000', '#FFFFFF', '#64748b', undefined]
  for (const accent of colours)
    for (const neutral of colours)
      assert.deepEqual(contrastsOf({ accent, neutral }), lowestContrasts({ accent, neutral }), `${accent} ${neutral}`)
})
