// The shapes of calls: what the functions of a client take and return.
import type { Download } from './download.ts'
import type { ServerEvent } from './events.ts'

export interface CallOptions {
  /** Ends the call, its retries and the reading of its answer. */
  signal?: AbortSignal | undefined
  /** Further headers of the request. */
  headers?: Readonly<Record<string, string>> | undefined
  /**
   * For a write: the same key gets the same answer for a day, also from another process. Without it each call has a key of its own, which
   * is sent with each of its tries.
   */
  idempotencyKey?: string | undefined
  /** For a write: every check is made and the answer is given, but nothing is kept. */
  dryRun?: boolean | undefined
}

export interface ListOptions extends CallOptions {
  /** Ends after so many entries. Without it a list of more than 10,000 entries throws; `Infinity` reads all of them. */
  limit?: number | undefined
}

export interface DownloadOptions extends CallOptions {
  /** An entity tag (`download.etag`) of what the caller has: if it is still so, the answer is `notModified` and has no bytes. */
  ifNoneMatch?: string | undefined
  /** The SHA-256 that the bytes must have, in hex; that of the answer's headers unless told. */
  sha256?: string | undefined
}

/** Bytes for an upload. What is read from a stream is collected first, up to the limit of the operation. */
export type FileContent = Blob | Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>
/** A file for an upload; a `File` brings its own name. */
export type FileInput = FileContent | { content: FileContent; name: string; type?: string | undefined }

export type Call<Input, Output> = (input: Input, options?: CallOptions) => Promise<Output>
export type OptionalCall<Input, Output> = (input?: Input, options?: CallOptions) => Promise<Output>

/** A list: a call gives one page, `all` gives the entries of every page. */
export interface ListCall<Input, Output, Entry> extends Call<Input, Output> {
  all(input: Omit<Input, 'page'>, options?: ListOptions): AsyncGenerator<Entry, void, undefined>
}
export interface OptionalListCall<Input, Output, Entry> extends OptionalCall<Input, Output> {
  all(input?: Omit<Input, 'page'>, options?: ListOptions): AsyncGenerator<Entry, void, undefined>
}

export type DownloadCall<Input> = (input: Input, options?: DownloadOptions) => Promise<Download>
export type EventCall<Input> = (input?: Input, options?: CallOptions) => AsyncGenerator<ServerEvent, void, undefined>
