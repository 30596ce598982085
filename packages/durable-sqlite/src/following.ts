// For processes that follow the log of a database that another one writes to.
export { isBusy } from './errors.ts'
export { marksBeside, shippingMark } from './followers.ts'
export { LogHold } from './log-hold.ts'
export { FRAME_BYTES } from './log-view.ts'
export { KEPT_BYTES } from './write-ahead-log.ts'
