
from clinch import Apply, Op, Type, double, function
from shares import percent, Share
part, whole = double("part"), double("whole")
share = function([part, whole], Share()(part, whole))
print("a script says", share(3.0, 4.0))
