// How good the search is: for people here, on the demo with queries and pairs of titles that were judged by hand, and for sentences, on a
// collection that others judged. RELEVANCE names the folder of that.
import { inPlaces } from './parts/places.ts'
import { judgeCollection } from './relevance/cranfield.ts'
import { judgeDemo } from './relevance/demo.ts'

const folder = process.env['RELEVANCE']

await inPlaces(async (make) => {
  await judgeDemo(make)
  if (folder) await judgeCollection(make, folder)
  else console.log('RELEVANCE names no folder with a collection: only the demo was asked.')
})
