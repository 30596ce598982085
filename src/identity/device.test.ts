// Devices by what browsers send today, and by what anybody may send.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyCharacters } from '../../test/any-text.ts'
import { deviceOf } from './device.ts'

const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
const BLINK = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0'
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)'
const LINUX = 'Mozilla/5.0 (X11; Linux x86_64)'
const ANDROID = 'Mozilla/5.0 (Linux; Android 15; Pixel 9)'
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X)'
const IPAD = 'Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X)'

const known: readonly [userAgent: string, device: string | null][] = [
  ['Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox on Linux'],
  ['Mozilla/5.0 (Android 15; Mobile; rv:143.0) Gecko/143.0 Firefox/143.0', 'Firefox on Android'],
  [`${IPHONE} ${WEBKIT} FxiOS/143.0 Mobile/15E148 Safari/605.1.15`, 'Firefox on iOS'],
  [`${WINDOWS} ${BLINK} Safari/537.36`, 'Chrome on Windows'],
  [`${LINUX} ${BLINK.replace('Chrome', 'HeadlessChrome')} Safari/537.36`, 'Chrome on Linux'],
  [`${ANDROID} ${BLINK} Mobile Safari/537.36`, 'Chrome on Android'],
  [`${IPAD} ${WEBKIT} CriOS/140.0.0.0 Mobile/15E148 Safari/604.1`, 'Chrome on iPadOS'],
  [`${WINDOWS} ${BLINK} Safari/537.36 Edg/140.0.0.0`, 'Edge on Windows'],
  [`${ANDROID} ${BLINK} Mobile Safari/537.36 EdgA/140.0.0.0`, 'Edge on Android'],
  [`${IPHONE} ${WEBKIT} Version/18.0 EdgiOS/140.0.0.0 Mobile/15E148 Safari/604.1`, 'Edge on iOS'],
  [`${MAC} ${WEBKIT} Version/18.6 Safari/605.1.15`, 'Safari on macOS'],
  [`${IPHONE} ${WEBKIT} Version/18.6 Mobile/15E148 Safari/604.1`, 'Safari on iOS'],
  [`${MAC} ${BLINK} Safari/537.36 OPR/122.0.0.0`, 'Opera on macOS'],
  [`${IPHONE} ${WEBKIT} Version/18.6 Mobile/15E148 Safari/604.1 OPT/6.0`, 'Opera on iOS'],
  ['Mozilla/5.0 (X11; FreeBSD amd64; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox'],
  [`${ANDROID} AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`, null],
  ['curl/8.14.1', null],
  ['', null],
]

describe('a device', () => {
  it('is a browser and a system by the names people know', () => {
    for (const [userAgent, device] of known) assert.equal(deviceOf(userAgent), device, userAgent)
    assert.equal(deviceOf(null), null)
  })

  it('has only names of our list, regardless of the header', () => {
    const word = fc.constantFrom('Firefox/', 'Safari/', 'Version/', 'Edg/', 'Windows NT', 'iPad', '<b>', '"', '; ')
    const header = fc.array(fc.oneof(word, anyCharacters), { maxLength: 60 }).map((some) => some.join(''))
    fc.assert(
      fc.property(header, (userAgent) => {
        const device = deviceOf(userAgent)
        assert.match(
          device ?? 'Edge',
          /^(Firefox|Chrome|Edge|Safari|Opera)( on (Windows|macOS|Linux|Android|iOS|iPadOS))?$/,
        )
      }),
    )
  })

  it('is looked for in the beginning of the header only', () => {
    const padded = (length: number) => `${'x'.repeat(length - ' Firefox/1'.length)} Firefox/1`
    assert.equal(deviceOf(padded(512)), 'Firefox')
    assert.equal(deviceOf(padded(513)), 'Firefox')
    assert.equal(deviceOf(padded(600)), null)
    assert.equal(deviceOf(`Firefox/1 ${'Version/'.repeat(1_000_000)}`), 'Firefox')
  })
})
