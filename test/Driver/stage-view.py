"""A click in the page of --emit=html, in a real browser."""
# REQUIRES: chromium
# UNSUPPORTED: sanitize
# RUN: rm -rf %t && mkdir -p %t
# RUN: clinch --no-cache --emit=html -o %t/page.html -c "x = double('x'); f = function([x], (x + 1.0) * x)"
# RUN: %python %s %t/page.html > %t/clicked.html
# RUN: env HOME=%t chromium --headless --no-sandbox --disable-gpu --dump-dom file://%t/clicked.html 2>/dev/null > %t/dom.html
# RUN: grep -o 'data-stage="[^"]*"\|class="on">[^<]*' %t/dom.html | FileCheck %s
# CHECK: data-stage="graph"
# CHECK-NEXT: class="on">{{.*}} = add(x, %{{[0-9]+}})
# CHECK: data-stage="blocks"
# CHECK: class="on">block [[N:[0-9]+]]: code `node_[[N]]`, `add`
# CHECK: data-stage="ladder"
# CHECK-NEXT: class="on">{{.*}} [[N]]  t1 = add {{.*}} label_[[N]]
# CHECK-NEXT: data-stage="C"
# CHECK: class="on">{{ *}}{ // Block [[N]]: `add`
# CHECK: data-stage="LLVM IR"
# CHECK: class="on">{{.*}} = fadd double
# CHECK: data-stage="LLVM IR, optimised"
# CHECK: class="on">{{.*}} = fadd double
# CHECK: data-stage="assembly"
# CHECK: class="on">{{.*}}addsd
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    page = file.read()
print(page.replace("</body>", """<script>
[...document.querySelectorAll('pre[data-stage="graph"] div[data-block]')]
  .find(line => line.textContent.includes(" = add(")).click();
</script></body>"""))
