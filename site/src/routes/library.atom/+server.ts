// The library as an Atom feed.
import { libraryFeed } from '#lib/server/library-feed.ts'
import type { RequestHandler } from './$types'

export const GET: RequestHandler = ({ locals, url }) => libraryFeed(locals, url)
