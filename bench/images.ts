// What a picture costs: time until it is written again, the longest stop of the event loop, and memory that stays.
// Run: node bench/images.ts
import './parts/either-engine.ts'
import sharp from 'sharp'
import { readImage } from '../src/storage/images.ts'

const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#888', noise } })

const sent = {
  'PNG of 256 x 256': await picture(256, 256).png().toBuffer(),
  'JPEG of 25 megapixels': await picture(5000, 5000).jpeg({ quality: 50 }).toBuffer(),
  'WebP of 25 megapixels': await picture(5000, 5000).webp({ quality: 50, effort: 0 }).toBuffer(),
}

for (const [name, bytes] of Object.entries(sent)) {
  const before = process.memoryUsage.rss()
  let [longest, last] = [0, performance.now()]
  const beat = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 1)
  const start = performance.now()
  await readImage(async () => bytes)
  const ms = Math.round(performance.now() - start)
  clearInterval(beat)
  const grown = Math.round((process.memoryUsage.rss() - before) / 1e6)
  console.log(
    `${name} (${bytes.length} bytes): ${ms} ms, event loop stopped ${longest.toFixed(1)} ms, ${grown} MB more here`,
  )
}
