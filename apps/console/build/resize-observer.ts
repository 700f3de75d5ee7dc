/** In place of resize-observer-polyfill, which antd imports: every browser that the build targets has its own. */
export default ResizeObserver;
