// The items of one kind as an Atom feed.
import { libraryFeed } from '#lib/server/library-feed.ts'
import type { RequestHandler } from './$types'

export const GET: RequestHandler = ({ locals, params, url }) => libraryFeed(locals, url, params.kind)
