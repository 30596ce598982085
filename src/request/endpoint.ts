// What is served outside the contract: endpoints of another protocol or of pages, and paths at which operations and stored things are read in the
// words of another protocol. Slices make them; surfaces mount them.
import type { z } from 'zod'
import type { Config } from '../config/config.ts'
import type { Area } from '../contract/operation.ts'
import type { Problem } from '../contract/problem.ts'
import type { Repository } from '../formats/git/upload-pack.ts'
import type { Dependencies } from './handler.ts'

/** A request that has come in, read up to the limit. */
export interface EndpointRequest {
  request: Request
  readonly url: URL
  /** Empty for GET and DELETE. */
  body: string
  now: string
  address: string
  /** The raw value of the session cookie, if there was one. */
  sessionToken: string | undefined
}

export interface EndpointResponse {
  status: number
  headers?: Readonly<Record<string, string>>
  /** Set-Cookie lines. */
  cookies?: readonly string[]
  body: string | null
  /** A page of the site, in the place of `body`. */
  view?: View
}

/** The data of a page of the site. It is passed to the site in process, never in a URL or a header. */
export interface View {
  /** The page: a route of the site that answers 404 to a request from outside. */
  route: string
  title: string
  /** Where its forms may lead besides the site: a source of CSP's `form-action`. */
  formTarget?: string | undefined
}

export type Serve = (received: EndpointRequest) => Promise<EndpointResponse>

type EndpointMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface Endpoint {
  /** The path on the site; `:id` is one segment. */
  path: string
  /** HEAD works wherever GET does. */
  methods: Partial<Record<EndpointMethod, Serve>>
  /** How many bytes a body has at most; 48 KiB unless told. */
  bodyLimit?: number
  /**
   * Cross-origin access: read responses (never with cookies), send users here, or neither; then a cross-site POST is
   * refused.
   */
  otherSites: 'read' | 'send' | 'keep out'
  /** Renders an error. */
  refuse(problem: Problem): EndpointResponse
}

// What operations say in the words of another protocol, at the paths that the protocol has: each request is a call of an operation with the
// credentials of the request, so its access is that of the operation. Slices declare it; surfaces serve it (surfaces/http/asked-paths.ts).

/** Calls an operation by its name; throws its Problem. */
export type Ask = (operation: string, input: Readonly<Record<string, unknown>>) => Promise<unknown>

export interface AskedPath {
  /** As the router has it. What it captures and the query are the input; the path wins. */
  path: string
  area: Area
  /** It takes anything: what is wrong is said by the operation, after it decided on access. */
  input: z.ZodObject
  /** Whether its part is on. */
  isThere(config: Pick<Config, 'partsOff'>): boolean
  /** What is sent as JSON, or where else it is, below the origin. */
  answer(ask: Ask, input: unknown): Promise<object | { location: string }>
}

// What is read in the words of another protocol, at the paths that the protocol has: made for each request of what is stored. Slices declare
// it; surfaces serve it to who may read the area (surfaces/http/asked-paths.ts).

export type ReadContext = Pick<Dependencies, 'db' | 'blobs' | 'clock' | 'config'>

export interface ReadPath {
  /** As the router has it: `/v0.1/servers/:name`. What it captures and the query are the input; the path wins. */
  path: string
  area: Area
  input: z.ZodObject
  /** Whether its part is on. */
  isThere(config: Pick<Config, 'partsOff'>): boolean
  /** The answer as JSON; throws a Problem for what is refused. */
  read(context: ReadContext, input: unknown): Promise<string>
}

/** A repository of git that is made of what is stored, for reading. Slices declare it; surfaces serve it (surfaces/http/git-paths.ts). */
export interface GitPath {
  /** Of the repository; the paths of the protocol are below it. */
  path: string
  area: Area
  /** Whether its part is on. */
  isThere(config: Pick<Config, 'partsOff'>): boolean
  /** As it is now. */
  repository(context: ReadContext): Promise<Repository>
}
